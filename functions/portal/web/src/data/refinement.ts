/** The refinement of an item. It is not kept in the browser: what agents write is for factory operators only. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { components } from '@/api/schema';

export type Refinement = components['schemas']['Refinement'];
export type RefinementRound = components['schemas']['RefinementRound'];

/** How often a round that works is asked for, in milliseconds. */
const BUSY = 3_000;

/** The last refinement of an item; null for one that was never refined. */
export const refinementQuery = (slug: string, key: string) =>
  queryOptions({
    queryKey: ['refinement', slug, key],
    queryFn: () =>
      data(http.GET('/api/v1/orgs/{slug}/items/{key}/refinement', { params: { path: { slug, key } } })).catch(
        (error: unknown) => {
          if (isProblem(error, 'not-found')) return null;
          throw error;
        },
      ),
    refetchInterval: (query) => (query.state.data?.status === 'running' ? BUSY : false),
  });
