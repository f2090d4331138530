/** Who moved the items that changed last, and what was said about them. */
import { queryOptions, useQueries } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Item } from '@/api/types';
import { historyQuery } from '@/data/items';
import { type Happening, ofComments, ofHistory } from './days';

/** Items that are read at once: each is a request, and another where it was talked about. */
const AT_ONCE = 6;

/** Comments of one item that are told of, at most. */
const SAID = 20;

/** The last comments of an item. The service lists the oldest first, and `count` leaves out what not everybody sees. */
const lastCommentsQuery = (slug: string, key: string, count: number) =>
  queryOptions({
    queryKey: ['comments', slug, key, 'last'],
    queryFn: async () => {
      const read = (page: number) =>
        data(
          http.GET('/api/v1/orgs/{slug}/items/{key}/comments', {
            params: { path: { slug, key }, query: { page, pageSize: SAID } },
          }),
        );
      const guessed = Math.max(1, Math.ceil(count / SAID));
      const answer = await read(guessed);
      const last = Math.ceil(answer.totalCount / SAID);
      return (last > guessed ? await read(last) : answer).items;
    },
  });

/**
 * Moves and comments of as many items as were asked for, of those that changed last. `since` says how far back all moves are
 * known: a move changes its item. Nothing tells which items were talked about last, so comments are those of the same items.
 */
export function useLatest(slug: string, changed: readonly Item[], times: number) {
  const items = changed.slice(0, times * AT_ONCE);
  const since = changed.length > items.length ? items.at(-1)?.updatedAt : undefined;
  const histories = useQueries({ queries: items.map(({ key }) => historyQuery(slug, key)) });
  const comments = useQueries({
    queries: items.map(({ key, commentCount = 0 }) => ({
      ...lastCommentsQuery(slug, key, commentCount),
      enabled: commentCount > 0,
    })),
  });
  const all: Happening[] = items.flatMap((item, at) => [
    ...ofHistory(item, histories[at]?.data?.items ?? []),
    ...ofComments(item, comments[at]?.data ?? []),
  ]);
  const told = all.filter(({ at }) => since === undefined || at >= since);
  // What could not be read is told as it is without it: that an item was started and finished.
  const known = new Set(items.filter((_, at) => histories[at]?.data).map(({ key }) => key));
  const until: Happening[] = since === undefined ? [] : [{ id: 'further', at: since, further: true }];
  return { told, known, since, until, busy: histories.some(({ isLoading }) => isLoading) };
}
