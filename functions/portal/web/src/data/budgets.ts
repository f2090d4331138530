/** Budgets of the Factory. Like all of it, none of this is kept in the browser. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { UpdateBudget } from '@/api/types';

export const budgetsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['budgets', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}/budgets', { params: { path: { slug } } })),
    refetchInterval: 60_000,
  });

/** Changes the organization's budget, or the one of the project or agent that the body names. */
export function changeBudget(slug: string, body: UpdateBudget) {
  return data(http.PATCH('/api/v1/orgs/{slug}/budgets', { params: { path: { slug } }, body }));
}
