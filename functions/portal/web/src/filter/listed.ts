/** What a board or a list shows: its filter, its words, its order; of an organization also how. */
import type { SavedView } from '@/api/types';

/** As the address of the board or list has them; an empty text where there is none. */
export interface Listed {
  filter: string;
  q: string;
  sort: string;
  /** The field by which it is grouped. */
  group?: string;
  layout?: 'list' | 'board';
}

/** Orders of the list that the service has too. */
const SERVED = ['rank', 'key', 'title', 'priority', 'estimate', 'due', 'created', 'updated'];

/** An order as the service takes it; nothing for one that it does not have. */
export function servedSort(sort: string): string | undefined {
  return SERVED.includes(sort.replace(/^-/, '')) ? sort : undefined;
}

/** What a view is of. */
export function listedOf(view: Pick<SavedView, 'filter' | 'q' | 'sort' | 'group' | 'layout'>): Listed {
  const { filter, q, sort, group, layout } = view;
  return { filter, q: q ?? '', sort: sort ?? '', ...(group && { group }), ...(layout && { layout }) };
}

/** What a view of an organization is of, as the address of its items has it. */
export function addressOf(view: Parameters<typeof listedOf>[0] & { id: string }) {
  const { filter, q, sort, group, layout } = listedOf(view);
  const as = layout === 'board' ? layout : '';
  const address = { filter, q, sort, group: group ?? '', as, view: view.id };
  // What the view has not is taken out of the address.
  return Object.fromEntries(Object.entries(address).map(([name, value]) => [name, value || undefined]));
}

/** Whether two show the same items in the same order, as far as a view keeps it. */
export function isSame(a: Listed, b: Listed): boolean {
  return JSON.stringify(kept(a)) === JSON.stringify(kept(b));
}

/** What a view keeps of what is shown. */
export function kept({ filter, q, sort, group, layout }: Listed) {
  return {
    filter: filter.trim(),
    q: q.trim() || null,
    sort: servedSort(sort) ?? null,
    group: group || null,
    layout: layout === 'board' ? layout : null,
  };
}
