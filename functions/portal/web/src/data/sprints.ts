/** Sprints and the teams that have them. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';

const keep = { keep: true };

export const teamsQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['teams', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/teams', { params: { path: { slug, key } } })),
    meta: keep,
    staleTime: 5 * 60_000,
  });

export const sprintQuery = (slug: string, id: string) =>
  queryOptions({
    queryKey: ['sprint', slug, id],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/sprints/{id}', { params: { path: { slug, id } } })),
    meta: keep,
  });

export const taskboardQuery = (slug: string, id: string) =>
  queryOptions({
    queryKey: ['sprint', slug, id, 'taskboard'],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/sprints/{id}/taskboard', { params: { path: { slug, id } } })),
    meta: keep,
  });

export const burndownQuery = (slug: string, id: string) =>
  queryOptions({
    queryKey: ['sprint', slug, id, 'burndown'],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/sprints/{id}/burndown', { params: { path: { slug, id } } })),
    meta: keep,
  });
