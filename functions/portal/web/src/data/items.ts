/** What belongs to an item beside its card: text, comments, history, files, watchers. Runs are in `factory.ts`. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Comment } from '@/api/types';

const keep = { keep: true };
const PAGE = 100;

export const itemQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['item', slug, key],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/items/{key}', {
          params: { path: { slug, key }, query: { render: 'html' } },
        }),
      ),
    meta: keep,
  });

/** What changed last in a project. */
export const recentItemsQuery = (slug: string, project: string) =>
  queryOptions({
    queryKey: ['work', slug, 'recent', project],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/items', {
          params: { path: { slug, key: project }, query: { sort: '-updated', pageSize: 8 } },
        }),
      ),
    meta: keep,
  });

/** The deleted items of a project that the viewer can bring back, last deleted first. */
export const deletedItemsQuery = (slug: string, project: string) =>
  queryOptions({
    queryKey: ['deleted-items', slug, project],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/deleted-items', {
          params: { path: { slug, key: project } },
        }),
      ),
  });

export const commentsQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['comments', slug, key],
    queryFn: async (): Promise<Comment[]> => {
      const all: Comment[] = [];
      for (let page = 1; ; page++) {
        const query = { render: 'html' as const, page, pageSize: PAGE };
        const answer = await data(
          http.GET('/api/v1/orgs/{slug}/items/{key}/comments', { params: { path: { slug, key }, query } }),
        );
        all.push(...answer.items.map(withoutFailure));
        if (answer.items.length === 0 || all.length >= answer.totalCount) return all;
      }
    },
    meta: keep,
  });

/** What happened to an item, newest first, page by page. */
export const historyQuery = (slug: string, key: string) =>
  infiniteQueryOptions({
    queryKey: ['history', slug, key, 'pages'],
    queryFn: ({ pageParam }) =>
      data(
        http.GET('/api/v1/orgs/{slug}/items/{key}/history', {
          params: { path: { slug, key }, query: { page: pageParam, pageSize: PAGE } },
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ totalCount }, pages) =>
      pages.length * PAGE < totalCount ? pages.length + 1 : undefined,
    meta: keep,
  });

/** What went wrong inside a run is read with the run, and never kept in the browser. */
function withoutFailure({ failureReason: _, failureDetail: __, ...comment }: Comment): Comment {
  return comment;
}

/** Other items that an item is linked with, and how many more there are that the viewer does not see. */
export const linksQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['item-links', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/items/{key}/links', { params: { path: { slug, key } } })),
    meta: keep,
  });

export const watchersQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['watchers', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/items/{key}/watchers', { params: { path: { slug, key } } })),
    meta: keep,
  });

export const attachmentsQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['attachments', slug, key],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/items/{key}/attachments', {
          params: { path: { slug, key }, query: { pageSize: PAGE } },
        }),
      ),
    meta: keep,
  });
