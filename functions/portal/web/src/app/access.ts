/**
 * What the viewer may do, after the table of roles. What a role forbids is not drawn; what a state forbids (archived,
 * read-only) is drawn disabled with the reason.
 */
import { useQuery } from '@tanstack/react-query';
import type { Organization, Project } from '@/api/types';
import { useOrganization } from '@/data/me';
import { projectQuery } from '@/data/projects';
import { t } from './strings';

export interface Access {
  /** Changes the organization: members, invitations, defaults. */
  administer: boolean;
  /** Changes the project's settings. */
  configure: boolean;
  /** Creates, edits, moves, claims, plans, writes wiki pages. */
  write: boolean;
  comment: boolean;
  /** Starts AI work and sees the Factory. */
  operate: boolean;
  /** Why nothing can be changed now, whatever the role. */
  frozen: string | undefined;
}

export function accessOf(organization: Organization, project?: Project): Access {
  const administer = organization.role === 'owner' || organization.role === 'admin';
  const guest = organization.role === 'guest';
  const frozen = project?.archived ? t('archived') : organization.readOnly ? t('readOnly') : undefined;
  return {
    administer,
    configure: administer || project?.role === 'admin',
    write: !guest,
    comment: true,
    operate: organization.canOperateFactory,
    frozen,
  };
}

const NONE: Access = {
  administer: false,
  configure: false,
  write: false,
  comment: false,
  operate: false,
  frozen: undefined,
};

/** What the viewer may do in an organization, or in one of its projects. */
export function useAccess(slug: string, project?: string): Access {
  const organization = useOrganization(slug);
  const { data } = useQuery({ ...projectQuery(slug, project ?? ''), enabled: project !== undefined });
  return organization ? accessOf(organization, data) : NONE;
}
