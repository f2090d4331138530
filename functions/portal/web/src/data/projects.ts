/** Projects and what belongs to each: workflow, labels, templates, members, sprints. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Label } from '@/api/types';
import { comingWorkflow } from '@/store/live';
import { queries } from '@/store/queries';

const keep = { keep: true };

export const projectsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['projects', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/projects', { params: { path: { slug } } })),
    meta: keep,
  });

export const projectQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['project', slug, key],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/projects/{key}', { params: { path: { slug, key } } })),
    // The list of projects holds the same.
    placeholderData: () =>
      queries.getQueryData(projectsQuery(slug).queryKey)?.find((project) => project.key === key),
    meta: keep,
    staleTime: 60_000,
  });

export const workflowQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['workflow', slug, key],
    queryFn: async () =>
      (await comingWorkflow(slug, key)) ??
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/workflow', { params: { path: { slug, key } } })),
    meta: keep,
    staleTime: 5 * 60_000,
  });

export const labelsQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['labels', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/labels', { params: { path: { slug, key } } })),
    meta: keep,
    staleTime: 5 * 60_000,
  });

export const templatesQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['templates', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/templates', { params: { path: { slug, key } } })),
    meta: keep,
    staleTime: 5 * 60_000,
  });

export const projectMembersQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['project-members', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/members', { params: { path: { slug, key } } })),
    meta: keep,
    staleTime: 5 * 60_000,
  });

export const sprintsQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['sprints', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/sprints', { params: { path: { slug, key } } })),
    meta: keep,
    staleTime: 60_000,
  });

/** Colours of a project's labels by lower-case name. */
export function useLabelColors(slug: string, key: string): ReadonlyMap<string, string> {
  const { data: colors } = useQuery({ ...labelsQuery(slug, key), select: colorsByName });
  return colors ?? NO_COLORS;
}

/** One function for all calls: with another one each time, every drawing of a board would have colours of its own. */
function colorsByName(labels: readonly Label[]): ReadonlyMap<string, string> {
  return new Map(labels.map((label) => [label.name.toLowerCase(), label.color]));
}

const NO_COLORS: ReadonlyMap<string, string> = new Map();
