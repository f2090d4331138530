/** Saved views of a project's or an organization's items: the viewer's own, then those that are shared. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';

/** Those of a project; without one, those of the organization. */
export const viewsQuery = (slug: string, project: string | undefined) =>
  queryOptions({
    queryKey: project === undefined ? ['org-views', slug] : ['views', slug, project],
    queryFn: () =>
      project === undefined
        ? data(http.GET('/api/v1/orgs/{slug}/views', { params: { path: { slug } } }))
        : data(
            http.GET('/api/v1/orgs/{slug}/projects/{key}/views', {
              params: { path: { slug, key: project } },
            }),
          ),
    meta: { keep: true },
  });
