/** What happened to items lately. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';

/** Items of a page. */
const ITEMS = 30;

export const activityQuery = (slug: string, project: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['work', slug, 'activity', project ?? ''],
    queryFn: ({ pageParam, signal }) =>
      data(
        http.GET('/api/v1/orgs/{slug}/activity', {
          params: {
            path: { slug },
            query: { limit: ITEMS, ...(project && { project }), ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
