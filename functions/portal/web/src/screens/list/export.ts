/** The address of a list as a table for spreadsheets. */
import { zoneFor } from '@/filter/language';
import { type Listed, servedSort } from '@/filter/listed';
import type { Place } from '@/items/actions';

/** Where the items of a list are read as CSV: in its order, or by rank where the service does not have that order. */
export function csvAddress({ slug, project }: Place, { filter, q, sort }: Listed): string {
  const query = new URLSearchParams({ sort: servedSort(sort) ?? 'rank' });
  if (filter) query.set('filter', filter);
  const { timeZone } = zoneFor(filter);
  if (timeZone) query.set('timeZone', timeZone);
  if (q.trim()) query.set('q', q.trim());
  const path = [slug, 'projects', project].map(encodeURIComponent).join('/');
  return `/api/v1/orgs/${path}/items.csv?${query}`;
}
