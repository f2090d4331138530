/** The latest runs of a project, for what cards say of them. Never kept in the browser. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Run } from '@/api/types';

export const projectRunsQuery = (slug: string, project: string) =>
  queryOptions({
    queryKey: ['project-runs', slug, project],
    queryFn: async (): Promise<Run[]> => {
      const params = { path: { slug }, query: { project, pageSize: 50 } };
      return (await data(http.GET('/api/v1/orgs/{slug}/runs', { params }))).items;
    },
    staleTime: 60_000,
  });
