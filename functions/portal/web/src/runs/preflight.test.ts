import { describe, expect, it } from 'vitest';
import type { Runner } from '@/api/types';
import { preflight } from './preflight';
import { fromLocal, inSixHours, toLocal } from './schedule';

const runner = (id: string, fields: Partial<Runner> = {}): Runner =>
  ({
    id,
    name: id,
    online: true,
    disabled: false,
    harnesses: ['harness_1'],
    parallel: 1,
    version: 1,
    ...fields,
  }) as Runner;
const playbook = { harness: 'harness_1' as const };
const plan = (runners: Runner[], more: object = {}) =>
  preflight({ playbook, runners, runner: '', load: new Map(), at: undefined, now: 1_000, ...more });

describe('preflight', () => {
  it.each([
    ['Starts at once on a.', [runner('a')], {}],
    ['Starts at once on b.', [runner('a'), runner('b')], { load: new Map([['a', 1]]) }],
    [
      'Will wait: every online runner with Claude Code is busy.',
      [runner('a')],
      { load: new Map([['a', 1]]) },
    ],
    ['Will wait: no runner is online.', [runner('a', { online: false })], {}],
    ['Will wait: no online runner has Claude Code.', [runner('a', { harnesses: [] })], {}],
    ['Will wait: there is no runner yet.', [], {}],
    ['Will wait: there is no runner yet.', [runner('a', { disabled: true })], {}],
    ['Will wait: a is offline.', [runner('a', { online: false }), runner('b')], { runner: 'a' }],
    [
      'Will wait: a does not have Claude Code.',
      [runner('a', { harnesses: ['harness_2'] }), runner('b')],
      { runner: 'a' },
    ],
    [
      'Will wait: the chosen runner is busy.',
      [runner('a'), runner('b')],
      { runner: 'a', load: new Map([['a', 1]]) },
    ],
    ['This time has passed. Choose a later one.', [runner('a')], { at: 999 }],
    [
      'Starts at that time on the first free runner, and holds the item until then.',
      [runner('a')],
      { at: 2_000 },
    ],
    ['Will wait at that time, unless a runner with Claude Code is connected by then.', [], { at: 2_000 }],
  ])('%s', (text, runners, more) => {
    expect(plan(runners, more)?.text).toBe(text);
  });

  it('says nothing before a playbook is chosen', () => {
    expect(plan([], { playbook: undefined })).toBeUndefined();
  });
});

describe('start later', () => {
  it('is prefilled six hours ahead on a whole minute, and comes back as it was', () => {
    const at = inSixHours(Date.parse('2026-11-22T12:00:30Z'));
    expect(at).toBe(Date.parse('2026-11-22T18:00:00Z'));
    expect(fromLocal(toLocal(at))).toBe(at);
    expect(fromLocal('nonsense')).toBeUndefined();
    expect(fromLocal('')).toBeUndefined();
  });
});
