/** Pages of a project's wiki. Those of the Factory section are for operators, so nothing of them is kept. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';

export type WikiEntry = components['schemas']['WikiEntry'];
export type WikiPage = components['schemas']['RenderedWikiPage'];
export type PageVersion = components['schemas']['PageVersion'];
export type PageAccess = components['schemas']['PageAccess'];

const at = (slug: string, key: string, path: string) => ({ path: { slug, key, path } });

export const wikiQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['wiki', slug, key, 'tree'],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/wiki', { params: { path: { slug, key } } })),
  });

export const pageQuery = (slug: string, key: string, path: string) =>
  queryOptions({
    queryKey: ['wiki', slug, key, 'page', path],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/wiki/pages/{path}', {
          params: { ...at(slug, key, path), query: { render: 'html' } },
        }),
      ),
  });

export const versionsQuery = (slug: string, key: string, path: string) =>
  queryOptions({
    queryKey: ['wiki', slug, key, 'versions', path],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/wiki/versions/{path}', { params: at(slug, key, path) }),
      ),
  });

export const versionQuery = (slug: string, key: string, path: string, number: number) =>
  queryOptions({
    queryKey: ['wiki', slug, key, 'version', path, number],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/wiki/version/{number}/{path}', {
          params: { path: { slug, key, path, number }, query: { render: 'html' } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const diffQuery = (slug: string, key: string, path: string, from: number, to: number) =>
  queryOptions({
    queryKey: ['wiki', slug, key, 'diff', path, from, to],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/wiki/diff/{path}', {
          params: { ...at(slug, key, path), query: { from, to } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const pageAccessQuery = (slug: string, key: string, path: string) =>
  queryOptions({
    queryKey: ['wiki', slug, key, 'access', path],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/wiki/access/{path}', { params: at(slug, key, path) }),
      ),
  });

export const binQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['wiki', slug, key, 'bin'],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/wiki/deleted', { params: { path: { slug, key } } })),
  });
