/** The audit log of an organization. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { components } from '@/api/schema';

type Schemas = components['schemas'];

export type AuditEntry = Schemas['AuditEntry'];

/** Which lines are wanted: actions separated by commas, the id of a person or an agent, from a time to before another. */
export interface AuditFilter {
  action?: string | undefined;
  by?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
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

function auditPage(slug: string, filter: AuditFilter, before: string, limit: number) {
  const named = Object.entries({ ...filter, before }).filter(([, value]) => value);
  const query = { limit, ...Object.fromEntries(named) };
  return data(http.GET('/api/v1/orgs/{slug}/audit', { params: { path: { slug }, query } }));
}
