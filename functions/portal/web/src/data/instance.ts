/** The administration of the instance, for its admins. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';

export type Account = components['schemas']['Account'];

/** What can be done to an account. */
export type AccountAct = 'disable' | 'enable' | 'sign-out';

export const instanceQuery = queryOptions({
  queryKey: ['instance', 'overview'],
  queryFn: () => data(http.GET('/api/v1/admin')),
});

export const deadLettersQuery = queryOptions({
  queryKey: ['instance', 'dead-letters'],
  queryFn: () => data(http.GET('/api/v1/admin/dead-letters')),
});

export const accountsQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['instance', 'accounts', q],
    queryFn: ({ pageParam }) => data(http.GET('/api/v1/admin/accounts', query(q, pageParam))),
    initialPageParam: 1,
    getNextPageParam: next,
  });

export const instanceOrganizationsQuery = infiniteQueryOptions({
  queryKey: ['instance', 'organizations'],
  queryFn: ({ pageParam }) => data(http.GET('/api/v1/admin/orgs', query('', pageParam))),
  initialPageParam: 1,
  getNextPageParam: next,
});

export const instanceAuditQuery = queryOptions({
  queryKey: ['instance', 'audit'],
  queryFn: () => data(http.GET('/api/v1/admin/audit', { params: { query: { limit: 50 } } })),
});

export function changeAccount(id: string, act: AccountAct) {
  const params = { params: { path: { id } } };
  switch (act) {
    case 'disable':
      return data(http.POST('/api/v1/admin/accounts/{id}/disable', params));
    case 'enable':
      return data(http.POST('/api/v1/admin/accounts/{id}/enable', params));
    case 'sign-out':
      return data(http.POST('/api/v1/admin/accounts/{id}/sign-out', params));
  }
}

export const makePasswordLink = (id: string) =>
  data(http.POST('/api/v1/admin/accounts/{id}/password-link', { params: { path: { id } } }));

export const testMail = () => data(http.POST('/api/v1/admin/mail-test'));

export const replayDeadLetters = () => data(http.POST('/api/v1/admin/dead-letters/replay'));

function query(q: string, page: number) {
  return { params: { query: { page, pageSize: 50, ...(q && { q }) } } };
}

function next({ page, pageSize, totalCount }: { page: number; pageSize: number; totalCount: number }) {
  return page * pageSize < totalCount ? page + 1 : undefined;
}
