/** What a search finds, and how much of each kind there is. */
import { queryOptions, useQueries } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { SearchResult } from '@/api/types';

export const TYPES = ['', 'items', 'comments', 'pages', 'projects', 'people'] as const;
export type Type = (typeof TYPES)[number];

/** As many as the service answers; it does not say how many there are. */
export const MOST = 50;

export const searchQuery = (slug: string, q: string, type: Type) =>
  queryOptions({
    queryKey: ['search', slug, q, type],
    queryFn: ({ signal }) =>
      data(
        http.GET('/api/v1/orgs/{slug}/search', {
          params: { path: { slug }, query: { q, limit: MOST, ...(type && { types: type }) } },
          signal,
        }),
      ),
    enabled: q !== '',
  });

/** Kinds of which there may be more than one answer holds. */
const MANY = ['items', 'comments', 'pages'] as const;

/** How many of each kind were found, such as "12", or "50+" where the service answered as many as it does. */
export type Totals = Partial<Record<Type, string>>;

/**
 * Counts what was found. An answer about everything that is not full has all of it; from a full one nothing follows, so
 * kinds that are many are asked for by themselves, which their tabs then show.
 */
export function useTotals(slug: string, q: string, everything: readonly SearchResult[] | undefined): Totals {
  const full = everything !== undefined && everything.length >= MOST;
  const answers = useQueries({
    queries: MANY.map((type) => ({ ...searchQuery(slug, q, type), enabled: q !== '' && full })),
  });
  if (!everything) return {};
  if (!full) return totalsIn(everything);
  return Object.fromEntries(MANY.map((type, at) => [type, told(answers[at]?.data?.results.length)]));
}

const KINDS: Record<string, Type> = {
  item: 'items',
  comment: 'comments',
  page: 'pages',
  project: 'projects',
  person: 'people',
};

/** The totals of an answer that has all there is. */
export function totalsIn(results: readonly SearchResult[]): Totals {
  const counts = new Map<Type, number>();
  for (const { type } of results) {
    const kind = KINDS[type];
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].map(([kind, n]) => [kind, told(n)]));
}

/** A number of results, honestly. */
export function told(n: number | undefined): string | undefined {
  if (n === undefined) return undefined;
  return n < MOST ? String(n) : `${MOST}+`;
}
