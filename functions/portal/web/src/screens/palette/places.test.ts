import { expect, it } from 'vitest';
import type { Access } from '@/app/access';
import { router } from '@/app/router';
import { places } from './places';

const OWNER: Access = {
  administer: true,
  configure: true,
  write: true,
  move: true,
  comment: true,
  remove: true,
  operate: true,
  start: true,
  frozen: undefined,
};
const STAKEHOLDER: Access = { ...OWNER, administer: false, configure: false, operate: false, start: false };
const GUEST: Access = { ...STAKEHOLDER, write: false, move: false, remove: false };

const ADMIN = { instanceAdmin: true };

const all = (access: Access) =>
  places({ me: ADMIN, slug: 'acme', organization: access, project: { key: 'DEMO', name: 'Demo', access } });
const ids = (access: Access) => all(access).map(({ id }) => id);

/** Pages that a place cannot lead to: they are of one thing, lead on to another, or are for people who are signed out. */
const LEFT_OUT = [
  /\$(item|run|playbook|sprint|milestone|section|part)\b|\/\$$/,
  /^\/(setup|sign-in|join|code-host|(forgot|reset)-password|confirm-address|dev\/gallery)?$/,
  /^\/o\/\$slug\/p\/\$project$/,
  /\/settings$/,
];

it('leads to every page', () => {
  const there = new Set(all(OWNER).map(({ to }) => to.split('?')[0]));
  const pages = Object.keys(router.routesByPath)
    .map((path) => path.replace(/(.)\/$/, '$1'))
    .filter((path) => !LEFT_OUT.some((left) => left.test(path)))
    .map((path) => path.replace('$slug', 'acme').replace('$project', 'DEMO'));
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((page) => !there.has(page))).toEqual([]);
});

it('leads each to what they find there', () => {
  const others = { me: { instanceAdmin: false }, slug: 'acme', organization: OWNER };
  expect(places(others).map(({ id }) => id)).not.toContain('go.account.instance');
  expect(ids(OWNER)).toContain('go.account.instance');
  expect(ids(OWNER)).toContain('go.organization.invitations');
  const stakeholder = ids(STAKEHOLDER);
  expect(stakeholder.filter((id) => /factory|runner|agent|playbook|invitation|budget/.test(id))).toEqual([]);
  expect(stakeholder).toContain('sprint.new');
  expect(stakeholder).not.toContain('label.new');
  const guest = ids(GUEST);
  expect(guest.filter((id) => id.endsWith('.new'))).toEqual(['token.new', 'organization.new']);
  expect(guest).toContain('go.project.members');
  expect(guest).not.toContain('go.project.workflow');
});

it('says why nothing can be made in what is archived', () => {
  const frozen = { ...OWNER, frozen: 'Archived.' };
  const project = { key: 'DEMO', name: 'Demo', access: frozen };
  const found = places({ me: ADMIN, slug: 'acme', organization: OWNER, project });
  expect(found.find(({ id }) => id === 'sprint.new')?.refusal).toBe('Archived.');
  expect(found.find(({ id }) => id === 'invitation.new')?.refusal).toBeUndefined();
});
