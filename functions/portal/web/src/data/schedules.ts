/** Recurring schedules of a project, and what they did. Like all of the Factory, none of it is kept in the browser. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { NewSchedule, Schedule, UpdateSchedule } from '@/api/types';

export const schedulesQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['schedules', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/schedules', { params: { path: { slug, key } } })),
    refetchInterval: 60_000,
  });

/** What a schedule did, newest first. */
export const scheduleFiringsQuery = (slug: string, key: string, id: string) =>
  queryOptions({
    queryKey: ['schedule-firings', slug, key, id],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/schedules/{id}/firings', {
          params: { path: { slug, key, id } },
        }),
      ),
    staleTime: 60_000,
  });

/** When an expression is due next. The service knows the clock changes of every zone. */
export const schedulePreviewQuery = (slug: string, key: string, cron: string, timeZone: string) =>
  queryOptions({
    queryKey: ['schedule-preview', slug, key, cron, timeZone],
    queryFn: () =>
      data(
        http.POST('/api/v1/orgs/{slug}/projects/{key}/schedule-preview', {
          params: { path: { slug, key } },
          body: { cron, timeZone },
        }),
      ),
    staleTime: 30_000,
    retry: false,
    placeholderData: keepPreviousData,
  });

export function createSchedule(slug: string, key: string, body: NewSchedule) {
  const params = { path: { slug, key } };
  return data(http.POST('/api/v1/orgs/{slug}/projects/{key}/schedules', { params, body }));
}

export function changeSchedule(
  slug: string,
  key: string,
  { id, version }: Schedule,
  body: Omit<UpdateSchedule, 'version'>,
) {
  const params = { path: { slug, key, id } };
  return data(
    http.PATCH('/api/v1/orgs/{slug}/projects/{key}/schedules/{id}', { params, body: { ...body, version } }),
  );
}

export function deleteSchedule(slug: string, key: string, { id }: Schedule) {
  const params = { path: { slug, key, id } };
  return data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}/schedules/{id}', { params }));
}

export function fireSchedule(slug: string, key: string, { id }: Schedule) {
  const params = { path: { slug, key, id } };
  return data(http.POST('/api/v1/orgs/{slug}/projects/{key}/schedules/{id}/fire', { params }));
}
