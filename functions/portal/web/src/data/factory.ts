/**
 * Agents, runners, playbooks and runs. None of it is kept in the browser: prompts, logs and failure reasons are for
 * factory operators only, whoever sits at this browser next.
 */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { PreviewMentions, Run, StartRun } from '@/api/types';
import { isLive } from '@/runs/live';

/** How often what runs is asked for, in milliseconds: while something runs, and else. */
const BUSY = 15_000;
const IDLE = 60_000;

interface RunFilter {
  project?: string | undefined;
  status?: string | undefined;
  agent?: string | undefined;
  page?: number;
  pageSize?: number;
}

export const runsQuery = (slug: string, filter: RunFilter = {}) =>
  queryOptions({
    queryKey: ['runs', slug, filter],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/runs', { params: { path: { slug }, query: present(filter) } })),
    refetchInterval: (query) => (query.state.data?.items.some(isLive) ? BUSY : IDLE),
    placeholderData: keepPreviousData,
  });

export const runQuery = (slug: string, id: string) =>
  queryOptions({
    queryKey: ['run', slug, id],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/runs/{id}', { params: { path: { slug, id } } })),
    refetchInterval: ({ state }) => (state.data && goesOn(state.data) ? 3_000 : false),
  });

/** Whether a run changes by itself: it is live, or will be continued unless somebody is faster. */
function goesOn(run: Run): boolean {
  return isLive(run) || Boolean(run.continuesAt);
}

/** What a run changed. It is known when the run has ended, and stays as it is. */
export const runChangesQuery = (run: Run) =>
  queryOptions({
    queryKey: ['run-changes', run.organization, run.id, isLive(run)],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/runs/{id}/changes', {
          params: { path: { slug: run.organization, id: run.id } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Runs of an item, newest first. */
export const itemRunsQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['item-runs', slug, key],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/items/{key}/runs', {
          params: { path: { slug, key }, query: { pageSize: 50 } },
        }),
      ),
    refetchInterval: (query) => (query.state.data?.items.some(isLive) ? BUSY : false),
  });

export const runnersQuery = (slug: string) =>
  queryOptions({
    queryKey: ['runners', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/runners', { params: { path: { slug } } })),
    refetchInterval: IDLE,
  });

export const agentsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['agents', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/agents', { params: { path: { slug } } })),
    staleTime: 60_000,
  });

/** Agents that were deleted and can be restored. */
export const deletedAgentsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['agents', slug, 'deleted'],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/agents', { params: { path: { slug }, query: { deleted: true } } })),
    staleTime: 60_000,
  });

export function deleteAgent(slug: string, id: string) {
  return data(http.DELETE('/api/v1/orgs/{slug}/agents/{id}', { params: { path: { slug, id } } }));
}

export function restoreAgent(slug: string, id: string) {
  return data(http.POST('/api/v1/orgs/{slug}/agents/{id}/restore', { params: { path: { slug, id } } }));
}

export const playbooksQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['playbooks', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/playbooks', { params: { path: { slug, key } } })),
    staleTime: 60_000,
  });

/** Playbooks of a project that were deleted and can be restored. */
export const deletedPlaybooksQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['playbooks', slug, key, 'deleted'],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/playbooks', {
          params: { path: { slug, key }, query: { deleted: true } },
        }),
      ),
    staleTime: 60_000,
  });

export function deletePlaybook(slug: string, key: string, id: string) {
  const params = { path: { slug, key, id } };
  return data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}/playbooks/{id}', { params }));
}

export function restorePlaybook(slug: string, key: string, id: string) {
  const params = { path: { slug, key, id } };
  return data(http.POST('/api/v1/orgs/{slug}/projects/{key}/playbooks/{id}/restore', { params }));
}

export const playbookQuery = (slug: string, key: string, id: string) =>
  queryOptions({
    queryKey: ['playbooks', slug, key, id],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/playbooks/{id}', {
          params: { path: { slug, key, id } },
        }),
      ),
  });

export const cancelRun = (run: Run) =>
  data(
    http.POST('/api/v1/orgs/{slug}/runs/{id}/cancel', {
      params: { path: { slug: run.organization, id: run.id } },
    }),
  );

/** Goes on with a run in its session, or starts it over from a fresh checkout. Answers the new run. */
export function goOn(run: Run, how: 'continue' | 'retry'): Promise<Run> {
  const params = { path: { slug: run.organization, id: run.id } };
  return how === 'continue'
    ? data(http.POST('/api/v1/orgs/{slug}/runs/{id}/continue', { params }))
    : data(http.POST('/api/v1/orgs/{slug}/runs/{id}/retry', { params }));
}

/** What would become of a run that is not started yet: it starts nothing. A refusal is the query's error. */
export const runPreviewQuery = (slug: string, key: string, body: StartRun) =>
  queryOptions({
    queryKey: ['run-preview', slug, key, body],
    queryFn: () =>
      data(
        http.POST('/api/v1/orgs/{slug}/items/{key}/runs/preview', { params: { path: { slug, key } }, body }),
      ),
    staleTime: 5_000,
    retry: false,
  });

/** What a comment would start if it were sent. */
export const mentionPreviewQuery = (slug: string, key: string, body: PreviewMentions) =>
  queryOptions({
    queryKey: ['mention-preview', slug, key, body],
    queryFn: () =>
      data(
        http.POST('/api/v1/orgs/{slug}/items/{key}/mentions/preview', {
          params: { path: { slug, key } },
          body,
        }),
      ),
    staleTime: 5_000,
    gcTime: 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  });

/** What became of the mentions of agents in an item's comments. */
export const mentionsQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['mentions', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/items/{key}/mentions', { params: { path: { slug, key } } })),
  });

/** Only what is set: an absent parameter and one that is undefined are two things to the types. */
function present(filter: RunFilter): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''),
  );
}
