/** How many items of an organization there are, by a field of theirs. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import { zoneFor } from '@/filter/language';

type By = 'state' | 'stateGroup' | 'type' | 'priority' | 'assignee' | 'label' | 'sprint' | 'milestone';

export const countsQuery = (slug: string, by: By, filter = '', q = '') =>
  queryOptions({
    // Read again with the lists of work when items change.
    queryKey: ['work', slug, 'counts', by, filter, q],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/items/counts', {
          params: {
            path: { slug },
            query: { by, ...(filter && { filter }), ...(q && { q }), ...zoneFor(filter) },
          },
        }),
      ),
    staleTime: 60_000,
  });
