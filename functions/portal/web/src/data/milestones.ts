/** Milestones of a project. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Milestone, NewMilestone, UpdateMilestone } from '@/api/types';

export const milestonesQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['milestones', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/milestones', { params: { path: { slug, key } } })),
    meta: { keep: true },
    staleTime: 60_000,
  });

export function createMilestone(slug: string, key: string, body: NewMilestone) {
  return data(
    http.POST('/api/v1/orgs/{slug}/projects/{key}/milestones', { params: { path: { slug, key } }, body }),
  );
}

export function changeMilestone(
  slug: string,
  key: string,
  { id, version }: Milestone,
  body: Omit<UpdateMilestone, 'version'>,
) {
  return data(
    http.PATCH('/api/v1/orgs/{slug}/projects/{key}/milestones/{id}', {
      params: { path: { slug, key, id } },
      body: { ...body, version },
    }),
  );
}

export function deleteMilestone(slug: string, key: string, { id }: Milestone) {
  return data(
    http.DELETE('/api/v1/orgs/{slug}/projects/{key}/milestones/{id}', {
      params: { path: { slug, key, id } },
    }),
  );
}
