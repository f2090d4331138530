/** Projects and what belongs to each: workflow, labels, templates, members, sprints. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Label } from '@/api/types';
import { comingBoard } from '@/store/live';
import { queries } from '@/store/queries';

const keep = { keep: true };

/** All projects that the viewer sees, archived ones too. */
export const projectsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['projects', slug],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects', { params: { path: { slug }, query: { archived: true } } }),
      ),
    meta: keep,
  });

/** Projects that were deleted and can be restored. */
export const deletedProjectsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['projects', slug, 'deleted'],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects', { params: { path: { slug }, query: { deleted: true } } }),
      ),
    staleTime: 60_000,
  });

/** Deletes a project. The service has its key said again. */
export function deleteProject(slug: string, key: string) {
  const params = { path: { slug, key }, query: { confirm: key } };
  return data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}', { params }));
}

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
      (await comingBoard(slug, key))?.workflow ??
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/workflow', { params: { path: { slug, key } } })),
    meta: keep,
    staleTime: 5 * 60_000,
  });

/** What the viewer may do with the items of a project. Boards and lists of items say it. */
export const canQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['can', slug, key],
    queryFn: async () => {
      const board = await comingBoard(slug, key);
      if (board) return board.can;
      const params = { path: { slug, key }, query: { pageSize: 1 } };
      return (await data(http.GET('/api/v1/orgs/{slug}/projects/{key}/items', { params }))).can;
    },
    meta: keep,
    staleTime: 5 * 60_000,
  });

// The board sets it, too.
queries.setQueryDefaults(['can'], { meta: keep });

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
