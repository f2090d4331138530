import { Navigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useAccess } from '@/app/access';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { useOrganization } from '@/data/me';
import { lazyPart } from '@/lib/parts';
import { plain } from '@/lib/text';
import { SettingsPage } from '../settings/SettingsPage';
import { type OrganizationSection, organizationSections } from '../settings/sections';
import { t } from '../settings/strings';
import type { OfOrganization } from './section';

const CONTENT = {
  general: lazyPart(() => import('./General')),
  members: lazyPart(() => import('./Members')),
  invitations: lazyPart(() => import('./Invitations')),
  channels: lazyPart(() => import('./Channels')),
  defaults: lazyPart(() => import('./Defaults')),
  webhooks: lazyPart(() => import('./Webhooks')),
  'code-hosting': lazyPart(() => import('./CodeHosting')),
  audit: lazyPart(() => import('./Audit')),
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
