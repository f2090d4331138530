import { expect, it } from 'vitest';
import type { Can, Organization, Project } from '@/api/types';
import { accessOf, withCan } from './access';

const organization = (role: string, more: object = {}) =>
  ({ slug: 'demo', role, canOperateFactory: role === 'owner', readOnly: false, ...more }) as Organization;
const nothing: Can = {
  edit: false,
  comment: false,
  start: false,
  transition: false,
  delete: false,
  configure: false,
};

it('follows from the role where the service has not said it', () => {
  const guest = accessOf(organization('guest'));
  expect(withCan(guest, undefined)).toBe(guest);
  expect(guest).toMatchObject({ write: false, move: false, comment: true, remove: false, start: false });
  expect(accessOf(organization('owner'))).toMatchObject({ write: true, remove: true, start: true });
});

it('takes the word of the service over the role', () => {
  const owner = accessOf(organization('owner'));
  const can = { ...nothing, comment: true, transition: true };
  const said = { write: false, move: true, comment: true, remove: false, start: false, configure: false };
  expect(withCan(owner, can)).toEqual({ ...owner, ...said });
});

it('shows what the role allows, disabled, while nothing can be changed', () => {
  const archived = accessOf(organization('member'), { archived: true } as Project);
  expect(archived.frozen).toBeDefined();
  expect(withCan(archived, nothing)).toBe(archived);
});
