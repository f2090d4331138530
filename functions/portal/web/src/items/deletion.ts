/** Deleting an item, and bringing it back for as long as the service keeps it. */
import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { Access } from '@/app/access';
import { refresh } from '@/data/act';
import type { Card } from '@/store/feed';
import { graphOf } from '@/store/live';
import { undoable } from '@/store/undo';
import { toast, toastProblem } from '@/ui/toasts';
import type { Place } from './actions';
import { t } from './deletion-strings';

/** Whether a role allows it: Admins of the project may, and the person who created the item. */
export function mayDelete(access: Access, me: string, card: Pick<Card, 'createdBy'>): boolean {
  return access.remove || (access.write && card.createdBy.id === me);
}

/** Why an item cannot be deleted now; nothing where it can. The service has the last word. */
export function deleteRefusal(card: Card, me: string, frozen: string | undefined): string | undefined {
  if (frozen !== undefined) return frozen;
  if (card.liveRun) return t('deleteLiveRun');
  const { claim } = card;
  if (claim && !claim.stale && claim.holder !== me) return t('deleteClaimed', { name: claim.holderName });
  return undefined;
}

/** Deletes an item, and offers to take that back. One that somebody else deleted meanwhile is deleted as well. */
export async function deleteItem(place: Place, key: string): Promise<void> {
  try {
    await data(
      http.DELETE('/api/v1/orgs/{slug}/items/{key}', { params: { path: { slug: place.slug, key } } }),
    );
  } catch (problem) {
    if (!isProblem(problem, 'item-deleted')) throw problem;
  }
  graphOf(place.slug, place.project).forget(key);
  void readAgain(place, key);
  undoable(t('itemDeleted', { key }), () => void restoreItem(place, key));
}

/** Brings a deleted item back. A refusal is shown in a corner; answers whether the item is there. */
export async function restoreItem(place: Place, key: string): Promise<boolean> {
  const params = { path: { slug: place.slug, key } };
  try {
    const card = await data(http.POST('/api/v1/orgs/{slug}/items/{key}/restore', { params }));
    graphOf(place.slug, place.project).confirm({ ...card, body: '' });
    toast(t('itemRestored', { key }));
    return true;
  } catch (problem) {
    toastProblem(problem);
    return false;
  } finally {
    await readAgain(place, key);
  }
}

function readAgain({ slug, project }: Place, key: string): Promise<void> {
  return refresh(['deleted-items', slug, project], ['item', slug, key], ['history', slug, key]);
}
