/** Moving an item and its subtasks to another project, where they get new keys. Their old keys lead there. */
import { data, http } from '@/api/client';
import type { Item } from '@/api/types';
import { refresh } from '@/data/act';
import { plain } from '@/lib/text';
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
  { children, frozen }: { children: readonly Card[]; frozen: string | undefined },
): string | undefined {
  if (frozen !== undefined) return frozen;
  if (card.type === 'subtask') return t('subtask');
  if (card.liveRun) return t('liveRun');
  const holder = holderOf(card, me);
  if (holder) return t('claimed', { name: holder });
  // Other children may stay: the dialog asks.
  const busy = children.find((child) => child.type === 'subtask' && (child.liveRun || holderOf(child, me)));
  if (!busy) return undefined;
  return busy.liveRun
    ? t('subtaskRuns', { key: busy.key })
    : t('subtaskClaimed', { key: busy.key, name: holderOf(busy, me) ?? '' });
}

/** Who else works on an item. */
function holderOf({ claim }: Card, me: string): string | undefined {
  return claim && !claim.stale && claim.holder !== me ? plain(claim.holderName) : undefined;
}

/** Moves an item to another project, with its subtasks. Answers what it is there. */
export async function transferItem(
  place: Place,
  card: Card,
  project: string,
  children: readonly Card[] = [],
  withChildren = true,
): Promise<Item> {
  const params = { path: { slug: place.slug, key: card.key } };
  const body = { version: card.version, project, withChildren };
  const moved = await data(http.POST('/api/v1/orgs/{slug}/items/{key}/transfer', { params, body }));
  for (const { key } of [card, ...children]) graphOf(place.slug, place.project).forget(key);
  graphOf(place.slug, project).confirm({ ...moved, body: '' });
  toast(t('done', { key: card.key, to: moved.key, n: children.length }));
  void refresh(['work', place.slug]);
  return moved;
}
