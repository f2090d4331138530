import { Navigate } from '@tanstack/react-router';
import { type ComponentType, lazy } from 'react';
import { useAccess } from '@/app/access';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { useOrganization } from '@/data/me';
import { plain } from '@/lib/text';
import { SettingsPage } from '../settings/SettingsPage';
import { type OrganizationSection, organizationSections } from '../settings/sections';
import { t } from '../settings/strings';
import type { OfOrganization } from './section';

const CONTENT = {
  general: lazy(() => import('./General')),
  members: lazy(() => import('./Members')),
  invitations: lazy(() => import('./Invitations')),
  channels: lazy(() => import('./Channels')),
  defaults: lazy(() => import('./Defaults')),
  webhooks: lazy(() => import('./Webhooks')),
  'code-hosting': lazy(() => import('./CodeHosting')),
  audit: lazy(() => import('./Audit')),
} satisfies Record<OrganizationSection, ComponentType<OfOrganization>>;

/** The settings of an organization. */
export default function OrganizationSettings() {
  const { slug, section } = useRouteParams('slug', 'section');
  const organization = useOrganization(slug);
  const access = useAccess(slug);
  const { administer, frozen } = access;
  if (!organization) return <Missing />;
  const sections = organizationSections(access).map((id) => ({ id, label: t(`section_${id}`) }));
  const root = `/o/${slug}/settings`;
  if (!section) return <Navigate to={`${root}/general` as never} replace />;
  const current = sections.find((one) => one.id === section);
  if (!current) return <Missing />;
  const Content = CONTENT[current.id];
  return (
    <SettingsPage
      title={plain(organization.name)}
      root={root}
      sections={sections}
      current={current}
      frozen={frozen}
    >
      <Content slug={slug} organization={organization} administer={administer} frozen={frozen} />
    </SettingsPage>
  );
}
