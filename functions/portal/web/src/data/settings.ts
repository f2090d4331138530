/** Settings of a project, an organization and the account, beside what screens need of them elsewhere. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';

export const factorySettingsQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['factory-settings', slug, key],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/factory-settings', { params: { path: { slug, key } } }),
      ),
  });

export const refinementSettingsQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['refinement-settings', slug, key],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/refinement-settings', {
          params: { path: { slug, key } },
        }),
      ),
  });

export const codeHostQuery = (slug: string) =>
  queryOptions({
    queryKey: ['code-host', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/code-host', { params: { path: { slug } } })),
  });

export const membersQuery = (slug: string) =>
  queryOptions({
    queryKey: ['members', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/members', { params: { path: { slug } } })),
  });

export const invitationsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['invitations', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/invitations', { params: { path: { slug } } })),
  });

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: () => data(http.GET('/api/v1/me/tokens')),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => data(http.GET('/api/v1/me/sessions')),
});
