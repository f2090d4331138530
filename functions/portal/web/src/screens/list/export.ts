/** The address of a list as a table for spreadsheets. */
import type { Place } from '@/items/actions';

/** What a list is of, and its order, as the address of the list has them. */
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

/** Where the items of a list are read as CSV: in its order, or by rank where the service does not have that order. */
export function csvAddress({ slug, project }: Place, { filter, q, sort }: Listed): string {
  const query = new URLSearchParams({ sort: servedSort(sort) ?? 'rank' });
  if (filter) query.set('filter', filter);
  if (q.trim()) query.set('q', q.trim());
  const path = [slug, 'projects', project].map(encodeURIComponent).join('/');
  return `/api/v1/orgs/${path}/items.csv?${query}`;
}
