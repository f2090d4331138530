/**
 * What the viewer may do. Inside a project the service says it (`can`); in the organization, of its agents, runners
 * and budgets too, it follows from the table of roles.
 * What a role forbids is not drawn; what a state forbids (archived, read-only) is drawn disabled with the reason.
 */
import { useQuery } from '@tanstack/react-query';
import type { Can, Organization, Project } from '@/api/types';
import { useOrganization } from '@/data/me';
import { canQuery, projectQuery } from '@/data/projects';
import { t } from './strings';

export interface Access {
  /** Changes the organization: members, invitations, defaults. */
  administer: boolean;
  /** Changes the project's settings. */
  configure: boolean;
  /** Creates, edits, moves, claims, plans, writes wiki pages. */
  write: boolean;
  /** Moves items to other states. */
  move: boolean;
  comment: boolean;
  /** Deletes items, of others too. */
  remove: boolean;
  /** Sees the Factory, and what agents do. */
  operate: boolean;
  /** Starts and cancels runs. */
  start: boolean;
  /** Why nothing can be changed now, whatever the role. */
  frozen: string | undefined;
}

export function accessOf(organization: Organization, project?: Project): Access {
  const administer = organization.role === 'owner' || organization.role === 'admin';
  const guest = organization.role === 'guest';
  const configure = administer || project?.role === 'admin';
  const operate = organization.canOperateFactory;
  const frozen = project?.archived ? t('archived') : organization.readOnly ? t('readOnly') : undefined;
  return {
    administer,
    configure,
    write: !guest,
    move: !guest,
    comment: true,
    remove: configure,
    operate,
    start: operate && !guest,
    frozen,
  };
}

/**
 * The same after the service's own word. While nothing can be changed the service says no to everything: what the role
 * allows is shown then, disabled.
 */
export function withCan(access: Access, can: Can | undefined): Access {
  if (!can || access.frozen !== undefined) return access;
  const { edit, transition, comment, start, configure } = can;
  return { ...access, write: edit, move: transition, comment, remove: can.delete, start, configure };
}

export const NONE: Access = {
  administer: false,
  configure: false,
  write: false,
  move: false,
  comment: false,
  remove: false,
  operate: false,
  start: false,
  frozen: undefined,
};

/** What the viewer may do in an organization, or in one of its projects. */
export function useAccess(slug: string, project?: string): Access {
  const organization = useOrganization(slug);
  const { data } = useQuery({ ...projectQuery(slug, project ?? ''), enabled: project !== undefined });
  return organization ? accessOf(organization, data) : NONE;
}

/**
 * What the viewer may do in a project, with its items, sprints, pages and settings, those of its Factory too: the
 * service says it.
 */
export function useItemAccess(slug: string, project: string | undefined): Access {
  const access = useAccess(slug, project);
  const { data: can } = useQuery({ ...canQuery(slug, project ?? ''), enabled: project !== undefined });
  return withCan(access, can);
}

/** The same for what is beside every page: it goes by what the page has asked, and asks nothing itself. */
export function useKnownAccess(slug: string, project: string | undefined): Access {
  const access = useAccess(slug, project);
  const { data: can } = useQuery({ ...canQuery(slug, project ?? ''), enabled: false });
  return withCan(access, can);
}
