/** Links between items: one blocks another, relates to it, or says the same. */
import { data, http } from '@/api/client';
import type { ItemLink, LinkKind } from '@/api/types';
import { act, refresh } from '@/data/act';
import { undoable } from '@/store/undo';
import { t } from './link-strings';

/** In the order in which they are shown: what holds the item up comes first. */
export const LINK_KINDS = ['blockedBy', 'blocks', 'relates', 'duplicates', 'duplicatedBy'] as const;

/** What an item is to the one that it is linked with. A kind that this app does not know is shown as it is named. */
export function linkName(kind: string): string {
  return (LINK_KINDS as readonly string[]).includes(kind) ? t(kind as LinkKind) : kind;
}

/** The links whose items must be done before this one. */
export function openBlockers(links: readonly ItemLink[]): ItemLink[] {
  return links.filter(({ type, stateGroup }) => type === 'blockedBy' && isOpen(stateGroup));
}

/** The same links under the kinds that they are of. */
export function byKind(links: readonly ItemLink[]): [string, ItemLink[]][] {
  const groups = new Map<string, ItemLink[]>(LINK_KINDS.map((kind) => [kind, []]));
  for (const link of links) groups.set(link.type, [...(groups.get(link.type) ?? []), link]);
  return [...groups].filter(([, some]) => some.length > 0);
}

/** Links items with another one. Linking the same again changes nothing. */
export function linkItems(slug: string, keys: readonly string[], type: LinkKind, item: string) {
  return act(
    () =>
      Promise.all(
        keys.map((key) =>
          data(
            http.POST('/api/v1/orgs/{slug}/items/{key}/links', {
              params: { path: { slug, key } },
              body: { type, item },
            }),
          ),
        ),
      ),
    ['item-links', slug],
  );
}

/** Removes a link, and offers to take that back. */
export async function unlinkItem(slug: string, key: string, { type, item }: ItemLink): Promise<void> {
  const params = { path: { slug, key }, query: { type, item } };
  const remove = () => data(http.DELETE('/api/v1/orgs/{slug}/items/{key}/links', { params }));
  if (!(await act(remove, ['item-links', slug]))) return;
  undoable(t('unlinked', { key, item }), () => void linkItems(slug, [key], type, item));
}

/** Removes the links with items of projects that the viewer does not see. They cannot be made again from here. */
export async function unlinkHidden(slug: string, key: string): Promise<void> {
  const params = { path: { slug, key }, query: { hidden: true } };
  await data(http.DELETE('/api/v1/orgs/{slug}/items/{key}/links', { params }));
  await refresh(['item-links', slug], ['item', slug, key], ['history', slug, key]);
}

function isOpen(group: ItemLink['stateGroup']): boolean {
  return group !== 'resolved' && group !== 'closed';
}
