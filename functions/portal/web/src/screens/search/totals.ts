/** What a search finds, and how much of each kind there is. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { SearchTotal } from '@/api/types';

export const TYPES = ['', 'items', 'comments', 'pages', 'projects', 'people'] as const;
export type Type = (typeof TYPES)[number];

/** As many as the service answers. */
export const MOST = 50;

/** The results; an answer about everything counts them, which tabs and lines then show. */
export const searchQuery = (slug: string, q: string, type: Type) =>
  queryOptions({
    queryKey: ['search', slug, q, type],
    queryFn: ({ signal }) =>
      data(
        http.GET('/api/v1/orgs/{slug}/search', {
          params: {
            path: { slug },
            query: { q, limit: MOST, ...(type ? { types: type } : { totals: true }) },
          },
          signal,
        }),
      ),
    enabled: q !== '',
  });

/** How many there are, such as "12", or "480+" where the service stopped to count; nothing of what is none. */
export function told(total: SearchTotal | undefined): string | undefined {
  return total && total.count > 0 ? `${total.count}${total.atLeast ? '+' : ''}` : undefined;
}
