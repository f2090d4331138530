/** Items of every project that match a filter, those that changed last first. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import { canQuery } from '@/data/projects';
import { queries } from '@/store/queries';

export const workQuery = (slug: string, filter: string) =>
  queryOptions({
    queryKey: ['work', slug, filter],
    queryFn: async () => {
      const params = { path: { slug }, query: { filter, pageSize: 50, sort: '-updated' } };
      const list = await data(http.GET('/api/v1/orgs/{slug}/items', { params }));
      // What one may do in their projects is known before one goes there.
      for (const [project, can] of Object.entries(list.can ?? {}))
        queries.setQueryData(canQuery(slug, project).queryKey, can);
      return list;
    },
    meta: { keep: true },
  });
