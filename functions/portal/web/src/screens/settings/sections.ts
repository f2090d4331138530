/** The sections of all settings, and who sees them: for their pages, and for the palette. */
import type { Access } from '@/app/access';

const PROJECT = [
  'general',
  'members',
  'teams',
  'workflow',
  'labels',
  'templates',
  'import',
  'intakes',
  'refinement',
  'factory',
] as const;
const ORGANIZATION = [
  'general',
  'members',
  'invitations',
  'channels',
  'defaults',
  'webhooks',
  'code-hosting',
  'audit',
] as const;
const ACCOUNT = [
  'profile',
  'organizations',
  'notifications',
  'tokens',
  'sessions',
  'appearance',
  'instance',
] as const;

export type ProjectSection = (typeof PROJECT)[number];
export type OrganizationSection = (typeof ORGANIZATION)[number];
export type AccountSection = (typeof ACCOUNT)[number];

/** Sections that people who may not change the project read all the same. */
const READ: readonly ProjectSection[] = ['labels', 'templates', 'members', 'teams'];

export function projectSections({ configure, operate }: Access): ProjectSection[] {
  return PROJECT.filter((id) =>
    id === 'refinement' || id === 'factory' ? configure && operate : configure || READ.includes(id),
  );
}

/** People who are no Admins find only how to leave the organization. */
export function organizationSections({ administer }: Access): OrganizationSection[] {
  return ORGANIZATION.filter((id) => administer || id === 'general');
}

/** Only its admins find the instance. */
export function accountSections({ instanceAdmin }: { instanceAdmin?: boolean }): AccountSection[] {
  return ACCOUNT.filter((id) => instanceAdmin || id !== 'instance');
}
