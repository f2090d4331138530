/** Organizations as such: those that were deleted, and one that the person is not known to belong to. */
import { queryOptions } from '@tanstack/react-query';
import { data, http } from '@/api/client';

/** The person's organizations that were deleted and can be restored. */
export const deletedOrganizationsQuery = queryOptions({
  queryKey: ['organizations', 'deleted'],
  queryFn: () => data(http.GET('/api/v1/orgs', { params: { query: { deleted: true } } })),
  staleTime: 60_000,
});

/** Asks for an organization by its address, to learn why it is not among the person's. */
export const organizationQuery = (slug: string) =>
  queryOptions({
    queryKey: ['organization', slug],
    queryFn: () => data(http.GET('/api/v1/orgs/{slug}', { params: { path: { slug } } })),
    // Who is signed in is asked again, and tells when it is back.
    refetchOnWindowFocus: false,
  });

/** Deletes an organization. The service has its slug said again. */
export function deleteOrganization(slug: string) {
  const params = { path: { slug }, query: { confirm: slug } };
  return data(http.DELETE('/api/v1/orgs/{slug}', { params }));
}
