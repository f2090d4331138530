/** Saved views of a project's items: the viewer's own, then those that are shared. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';

export const viewsQuery = (slug: string, project: string) =>
  queryOptions({
    queryKey: ['views', slug, project],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/views', { params: { path: { slug, key: project } } }),
      ),
    meta: { keep: true },
  });
