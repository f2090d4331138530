/** The person's inbox, of all their organizations. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Notification } from '@/api/types';

/** Streams tell of one organization; what happens in the others is read every minute. */
const OTHERS = 60_000;

export const inboxQuery = queryOptions({
  queryKey: ['inbox', 'entries'],
  queryFn: () => data(http.GET('/api/v1/me/notifications', { params: { query: { limit: 200 } } })),
  meta: { keep: true },
  refetchInterval: OTHERS,
});

export const inboxCountsQuery = queryOptions({
  queryKey: ['inbox', 'counts'],
  queryFn: () => data(http.GET('/api/v1/me/notifications/counts')),
  refetchInterval: OTHERS,
});

/** Marks an entry in the version that is shown: news that came since stay. */
export function markNotification({ id, version }: Notification, mark: { read?: boolean; done?: boolean }) {
  return data(
    http.PATCH('/api/v1/me/notifications/{id}', { params: { path: { id } }, body: { version, ...mark } }),
  );
}

export function finishNotifications() {
  return data(http.POST('/api/v1/me/notifications/done'));
}
