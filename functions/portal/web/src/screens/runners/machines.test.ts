import { expect, it } from 'vitest';
import type { Runner } from '@/api/types';
import { machinesOf } from './machines';

const runner = (name: string, more: Partial<Runner> = {}) =>
  ({ id: name, name, machineId: name, online: true, disabled: false, harnesses: [], ...more }) as Runner;
const told = (runners: Runner[]) =>
  machinesOf(runners).map(({ name, runners: its }) => [name, ...its.map((one) => one.name)].join(' '));

it('shows a machine once, with its registrations inside', () => {
  const label = 'mac-mini';
  const twice = [
    runner('web', { machineId: 'm', label, harnesses: ['harness_1'], online: false }),
    runner('api', { machineId: 'm', label, harnesses: ['harness_1', 'harness_2'], service: true }),
  ];
  expect(told([...twice, runner('build-1')])).toEqual(['build-1 build-1', 'mac-mini api web']);
  expect(machinesOf(twice)[0]).toMatchObject({
    online: true,
    disabled: false,
    service: true,
    harnesses: ['harness_1', 'harness_2'],
  });
});

it('puts no two machines together that have never said which they are', () => {
  expect(told([runner('b', { machineId: null }), runner('a', { machineId: null })])).toEqual(['a a', 'b b']);
});

it('puts what works first: usable, online, by name', () => {
  const off = runner('a', { disabled: true });
  expect(told([off, runner('c'), runner('b', { online: false }), runner('d')])).toEqual([
    'c c',
    'd d',
    'b b',
    'a a',
  ]);
  // A registration that is disabled does not make its machine look as if it was there.
  expect(machinesOf([off])[0]).toMatchObject({ online: false, disabled: true });
});

it('calls a machine by what it calls itself, and without that by the registration that was heard of last', () => {
  const seen = (name: string, lastSeenAt: string | null) => runner(name, { machineId: 'm', lastSeenAt });
  expect(told([seen('old', null), seen('new', '2026-01-05T09:00:00Z')])).toEqual(['new new old']);
  expect(told([runner('only', { label: 'mac-mini' })])).toEqual(['only only']);
});
