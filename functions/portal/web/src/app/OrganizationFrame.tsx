import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { signals } from '@/api/client';
import { isProblem } from '@/api/problem';
import { meQuery, useOrganization } from '@/data/me';
import { organizationQuery } from '@/data/organizations';
import { lazyPart } from '@/lib/parts';
import { Missing } from './States';

const DeletedOrganization = lazyPart(() => import('./DeletedOrganization'));

/** Everything of an organization; of one that the person does not belong to, or that was deleted, nothing. */
export function OrganizationFrame() {
  const { slug = '' } = useParams({ strict: false });
  const organization = useOrganization(slug);
  const { refetch } = useQuery(meQuery);
  const [asked, setAsked] = useState<string>();
  const unknown = organization === undefined;
  const { error, isFetching } = useQuery({ ...organizationQuery(slug), enabled: unknown });
  // The person may have joined it since their organizations were last read.
  useEffect(() => {
    if (unknown) void refetch().finally(() => setAsked(slug));
  }, [unknown, slug, refetch]);
  // Something is gone: it may be the organization with everything in it.
  useEffect(() => (unknown ? undefined : signals.on('deleted', () => void refetch())), [unknown, refetch]);
  if (!unknown) return <Outlet />;
  if (asked !== slug || isFetching) return null;
  if (!isProblem(error, 'deleted')) return <Missing />;
  return (
    <Suspense>
      <DeletedOrganization slug={slug} error={error} />
    </Suspense>
  );
}
