/** Items of every project that match a filter, those that changed last first. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';

export const workQuery = (slug: string, filter: string) =>
  queryOptions({
    queryKey: ['work', slug, filter],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/items', {
          params: { path: { slug }, query: { filter, pageSize: 50, sort: '-updated' } },
        }),
      ),
    meta: { keep: true },
  });
