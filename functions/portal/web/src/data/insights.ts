/** What projects and agents got done over weeks. Asked for now and then: none of it changes from moment to moment. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';

const SELDOM = 60_000;

/** How far every project of an organization is. */
export const overviewsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['overviews', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/project-overviews', { params: { path: { slug } } })),
    meta: { keep: true },
    staleTime: SELDOM / 2,
    refetchInterval: SELDOM,
  });

/** What happened each week in a project, or with the items of one of its milestones. */
export const projectStatsQuery = (slug: string, key: string, weeks: number, milestone?: string) =>
  queryOptions({
    queryKey: ['project-stats', slug, key, weeks, milestone],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/stats', {
          params: { path: { slug, key }, query: { weeks, ...(milestone && { milestone }) } },
        }),
      ),
    meta: { keep: true },
    staleTime: SELDOM,
  });

export type FactoryGroup = 'playbook' | 'harness' | 'model' | 'agent' | 'project';

/** What agents got done each week, by what they have in common. For factory operators: never kept. */
export const factoryStatsQuery = (slug: string, by: FactoryGroup, from: string, project?: string) =>
  queryOptions({
    queryKey: ['factory-stats', slug, by, from, project],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/factory-stats', {
          params: { path: { slug }, query: { by, from, weekly: true, ...(project && { project }) } },
        }),
      ),
    staleTime: SELDOM,
  });
