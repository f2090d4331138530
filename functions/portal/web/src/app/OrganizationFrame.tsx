import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { meQuery, useOrganization } from '@/data/me';
import { Missing } from './States';

/** Everything of an organization; of one that the person does not belong to, nothing. */
export function OrganizationFrame() {
  const { slug = '' } = useParams({ strict: false });
  const organization = useOrganization(slug);
  const { refetch } = useQuery(meQuery);
  const [asked, setAsked] = useState<string>();
  const unknown = organization === undefined;
  // The person may have joined it since their organizations were last read.
  useEffect(() => {
    if (unknown) void refetch().finally(() => setAsked(slug));
  }, [unknown, slug, refetch]);
  if (!unknown) return <Outlet />;
  return asked === slug ? <Missing /> : null;
}
