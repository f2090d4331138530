/** Rules of a project, and what they did. Like all of the Factory, none of it is kept in the browser. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Rule, UpdateRule } from '@/api/types';

export const rulesQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['rules', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/projects/{key}/rules', { params: { path: { slug, key } } })),
    staleTime: 60_000,
  });

/** What rules did, newest first; of one rule, or of all. */
export const firingsQuery = (slug: string, key: string, rule: string | undefined, page: number) =>
  queryOptions({
    queryKey: ['rule-firings', slug, key, rule ?? '', page],
    queryFn: () =>
      data(
        http.GET('/api/v1/orgs/{slug}/projects/{key}/rule-firings', {
          params: { path: { slug, key }, query: { page, pageSize: 25, ...(rule ? { rule } : {}) } },
        }),
      ),
    refetchInterval: 60_000,
  });

export function changeRule(slug: string, key: string, rule: Rule, body: Omit<UpdateRule, 'version'>) {
  const params = { path: { slug, key, id: rule.id } };
  return data(
    http.PATCH('/api/v1/orgs/{slug}/projects/{key}/rules/{id}', {
      params,
      body: { ...body, version: rule.version },
    }),
  );
}

export function deleteRule(slug: string, key: string, rule: Rule) {
  const params = { path: { slug, key, id: rule.id } };
  return data(http.DELETE('/api/v1/orgs/{slug}/projects/{key}/rules/{id}', { params }));
}
