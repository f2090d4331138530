/**
 * Server state beside the graphs: what pages are drawn from, kept so that they can be read again at once and offline.
 *
 * A query whose `meta.keep` is true is written to IndexedDB. Logs, prompts and anything else of a run never say so.
 */
import { QueryClient } from '@tanstack/react-query';
import { isOffline, ProblemError } from '@/api/problem';
import { drop, keep, recallAll } from './database';

const KEPT_FOR = 14 * 24 * 3_600_000;
const SAVE_AFTER = 800;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      networkMode: 'always',
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      retryDelay: (failures, error) =>
        error instanceof ProblemError && error.retryAfter ? error.retryAfter * 1000 : 800 * 2 ** failures,
    },
    mutations: { networkMode: 'always' },
  },
});

function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof ProblemError) || isOffline(error)) return false;
  return error.problem.status >= 500;
}

/** Puts back what was kept, and keeps what comes. */
export async function restoreQueries(): Promise<void> {
  for (const kept of await recallAll('answers')) {
    if (Date.now() - kept.at > KEPT_FOR) void drop('answers', kept.hash);
    else if (queries.getQueryData(kept.key) === undefined) {
      // Shown at once, and asked for again however young it is: nobody listened meanwhile.
      queries.setQueryData(kept.key, kept.answer, { updatedAt: 1 });
    }
  }
  queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && event.query.meta?.keep) {
      later(event.query.queryHash, event.query.queryKey);
    }
    if (event.type === 'updated' && event.action.type === 'error') {
      const { error } = event.action;
      // What may no longer be seen is not kept either.
      if (error instanceof ProblemError && [403, 404, 410].includes(error.problem.status)) {
        void drop('answers', event.query.queryHash);
      }
    }
  });
}

const saving = new Map<string, ReturnType<typeof setTimeout>>();

function later(hash: string, key: readonly unknown[]): void {
  clearTimeout(saving.get(hash));
  saving.set(
    hash,
    setTimeout(() => {
      saving.delete(hash);
      const answer = queries.getQueryData(key);
      if (answer !== undefined) void keep('answers', { hash, key, answer, at: Date.now() });
    }, SAVE_AFTER),
  );
}

/** Forgets everything: at sign-out. */
export function forgetQueries(): void {
  for (const timer of saving.values()) clearTimeout(timer);
  saving.clear();
  queries.clear();
}
