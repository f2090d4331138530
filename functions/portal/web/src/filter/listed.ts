/** What a board or a list shows: its filter, its words, its order. */
import type { SavedView } from '@/api/types';

/** As the address of the board or list has them; an empty text where there is none. */
export interface Listed {
  filter: string;
  q: string;
  sort: string;
}

/** Orders of the list that the service has too. */
const SERVED = ['rank', 'key', 'title', 'priority', 'estimate', 'due', 'created', 'updated'];

/** An order as the service takes it; nothing for one that it does not have. */
export function servedSort(sort: string): string | undefined {
  return SERVED.includes(sort.replace(/^-/, '')) ? sort : undefined;
}

/** What a view is of. */
export function listedOf({ filter, q, sort }: Pick<SavedView, 'filter' | 'q' | 'sort'>): Listed {
  return { filter, q: q ?? '', sort: sort ?? '' };
}

/** Whether two show the same items in the same order, as far as a view keeps it. */
export function isSame(a: Listed, b: Listed): boolean {
  return JSON.stringify(kept(a)) === JSON.stringify(kept(b));
}

/** What a view keeps of what is shown. */
export function kept({ filter, q, sort }: Listed): { filter: string; q: string | null; sort: string | null } {
  return { filter: filter.trim(), q: q.trim() || null, sort: servedSort(sort) ?? null };
}
