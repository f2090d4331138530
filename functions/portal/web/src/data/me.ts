/** Who is signed in. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { data, http } from '@/api/client';
import type { Me, Organization } from '@/api/types';
import { queries } from '@/store/queries';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => data(http.GET('/api/v1/me')),
  meta: { keep: true },
  staleTime: 60_000,
});

// It is kept as well where it was set and not asked for: after signing in.
queries.setQueryDefaults(meQuery.queryKey, { meta: { keep: true } });

/** The person who is signed in. Inside the shell there always is one. */
export function useMe(): Me {
  const { data: me } = useQuery(meQuery);
  if (!me) throw new Error('This screen is inside the shell, where somebody is signed in.');
  return me;
}

/** One of the person's organizations by its slug. */
export function useOrganization(slug: string): Organization | undefined {
  return useMe().organizations.find((organization) => organization.slug === slug);
}
