/**
 * Whom the mentions of a comment reached, as the service says it to its writer once: in the answer to what was sent. It is
 * kept for as long as the page is.
 */
import { queryOptions, skipToken } from '@tanstack/react-query';
import type { Actor } from '@/api/types';
import { queries } from '@/store/queries';

/** What became of one mention. */
export interface Reached {
  name: string;
  who?: Actor | null;
  outcome: string;
  /** Why it reaches nobody: a whole sentence. */
  reason?: string | null;
}

export const reachQuery = (comment: string) =>
  queryOptions<Reached[]>({
    queryKey: ['reach', comment],
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Takes in the answer to a comment that was sent or edited. */
export function keepReach(sent: { id: string }): void {
  const { reach = [] } = sent as { reach?: Reached[] };
  queries.setQueryData(reachQuery(sent.id).queryKey, reach);
}
