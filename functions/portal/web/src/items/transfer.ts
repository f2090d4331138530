/** Moving an item to another project, where it gets a new key. Its old key leads there. */
import { data, http } from '@/api/client';
import type { Item } from '@/api/types';
import { refresh } from '@/data/act';
import type { Card } from '@/store/feed';
import { graphOf } from '@/store/live';
import { toast } from '@/ui/toasts';
import type { Place } from './actions';
import { t } from './transfer-strings';

/** The project that a key belongs to. */
export function projectOf(key: string): string {
  return key.replace(/-\d+$/, '');
}

/** Why an item cannot go to another project now; nothing where it can. The service has the last word. */
export function transferRefusal(
  card: Card,
  me: string,
  { parent, frozen }: { parent: boolean; frozen: string | undefined },
): string | undefined {
  if (frozen !== undefined) return frozen;
  if (card.type === 'subtask') return t('subtask');
  if (parent) return t('parent');
  if (card.liveRun) return t('liveRun');
  const { claim } = card;
  if (claim && !claim.stale && claim.holder !== me) return t('claimed', { name: claim.holderName });
  return undefined;
}

/** Moves an item to another project. Answers what it is there. */
export async function transferItem(place: Place, card: Card, project: string): Promise<Item> {
  const params = { path: { slug: place.slug, key: card.key } };
  const body = { version: card.version, project };
  const moved = await data(http.POST('/api/v1/orgs/{slug}/items/{key}/transfer', { params, body }));
  graphOf(place.slug, place.project).forget(card.key);
  graphOf(place.slug, project).confirm({ ...moved, body: '' });
  toast(t('done', { key: card.key, to: moved.key }));
  void refresh(['work', place.slug]);
  return moved;
}
