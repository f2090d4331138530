import { Navigate } from '@tanstack/react-router';
import { type ComponentType, lazy } from 'react';
import { useAccess } from '@/app/access';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { useOrganization } from '@/data/me';
import { plain } from '@/lib/text';
import { SettingsPage } from '../settings/SettingsPage';
import type { OfOrganization } from './section';
import { t } from './strings';

const SECTIONS = {
  general: lazy(() => import('./General')),
  members: lazy(() => import('./Members')),
  invitations: lazy(() => import('./Invitations')),
  'code-hosting': lazy(() => import('./CodeHosting')),
} satisfies Record<string, ComponentType<OfOrganization>>;

type Id = keyof typeof SECTIONS;

/** The settings of an organization. Who is no Admin finds only how to leave it. */
export default function OrganizationSettings() {
  const { slug, section } = useRouteParams('slug', 'section');
  const organization = useOrganization(slug);
  const { administer, frozen } = useAccess(slug);
  if (!organization) return <Missing />;
  const sections = (Object.keys(SECTIONS) as Id[])
    .filter((id) => administer || id === 'general')
    .map((id) => ({ id, label: t(id) }));
  const root = `/o/${slug}/settings`;
  if (!section) return <Navigate to={`${root}/general` as never} replace />;
  const current = sections.find((one) => one.id === section);
  if (!current) return <Missing />;
  const Section = SECTIONS[current.id];
  return (
    <SettingsPage
      title={plain(organization.name)}
      root={root}
      sections={sections}
      current={current}
      frozen={frozen}
    >
      <Section slug={slug} organization={organization} administer={administer} frozen={frozen} />
    </SettingsPage>
  );
}
