/**
 * Whom the mentions of a comment reached, as the service says it to its writer once: in the answer to what was sent. It is
 * kept for as long as the page is.
 */
import { queryOptions, skipToken } from '@tanstack/react-query';
import type { components } from '@/api/schema';
import { queries } from '@/store/queries';

type Reached = components['schemas']['MentionReach'];

export const reachQuery = (comment: string) =>
  queryOptions<Reached[]>({
    queryKey: ['reach', comment],
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Takes in the answer to a comment that was sent or edited. */
export function keepReach({ id, reach = [] }: { id: string; reach?: Reached[] }): void {
  queries.setQueryData(reachQuery(id).queryKey, reach);
}
