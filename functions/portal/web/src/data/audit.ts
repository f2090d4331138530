/** The audit log of an organization. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];

export type AuditEntry = Schemas['AuditEntry'];

/** Which lines are wanted: actions separated by commas, and the id of a person or an agent. */
export interface AuditFilter {
  action?: string | undefined;
  by?: string | undefined;
}

export const auditQuery = (slug: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', slug, filter],
    queryFn: ({ pageParam }) => auditPage(slug, filter, pageParam, 50),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
  });

/** All lines, a line of JSON each. */
export async function auditLines(slug: string, filter: AuditFilter): Promise<string> {
  const lines: string[] = [];
  let before: string | undefined = '';
  while (before !== undefined) {
    const page: Schemas['AuditPage'] = await auditPage(slug, filter, before, 200);
    lines.push(...page.entries.map((entry) => `${JSON.stringify(entry)}\n`));
    before = page.next;
  }
  return lines.join('');
}

function auditPage(slug: string, { action, by }: AuditFilter, before: string, limit: number) {
  const query = { limit, ...(action && { action }), ...(by && { by }), ...(before && { before }) };
  return data(http.GET('/api/v1/orgs/{slug}/audit', { params: { path: { slug }, query } }));
}
