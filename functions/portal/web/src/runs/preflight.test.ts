import { describe, expect, it } from 'vitest';
import { ProblemError } from '@/api/problem';
import type { RunPreview } from '@/api/types';
import { preflight } from './preflight';
import { fromLocal, inSixHours, toLocal } from './schedule';

const preview = (fields: Partial<RunPreview>): RunPreview => ({
  startsNow: false,
  runner: null,
  waitingReason: null,
  blockedBy: [],
  agent: { id: 'a1', name: 'Builder' },
  playbook: { id: 'p1', name: 'Fix bug' },
  harness: 'harness_1',
  branch: 'demo-1',
  deliveryMode: 'branchAndPullRequest',
  scheduledFor: null,
  ...fields,
});
const refused = (status: number, more: object = {}) =>
  new ProblemError({ type: 'x', title: 'Refused.', status, traceId: '', errors: {}, ...more });
const NOW = { at: undefined, now: 1_000 };
const LATER = { at: 2_000, now: 1_000 };

describe('preflight', () => {
  it.each([
    ['Starts at once on build-1.', { startsNow: true, runner: { id: 'm1', name: 'build-1' } }, NOW],
    ['Starts at once.', { startsNow: true }, NOW],
    [
      'Starts at once, although DEMO-2 and DEMO-3 should be done first.',
      { startsNow: true, blockedBy: ['DEMO-2', 'DEMO-3'] },
      NOW,
    ],
    [
      'Waits at that time until DEMO-2 is done, and holds the item until then.',
      { scheduledFor: '2026-11-22T18:54:00Z', blockedBy: ['DEMO-2'] },
      LATER,
    ],
    ['Will wait. No runner is online.', { waitingReason: 'No runner is online.' }, NOW],
    [
      'Starts at that time on the first free runner, and holds the item until then.',
      { scheduledFor: '2026-11-22T18:54:00Z', waitingReason: 'It starts at 2026-11-22T18:54:00Z.' },
      LATER,
    ],
    ['This time has passed. Choose a later one.', {}, { at: 999, now: 1_000 }],
  ])('%s', (text, fields, plan) => {
    expect(preflight(preview(fields), undefined, plan)?.text).toBe(text);
  });

  it('says why it would be refused, with the run that stands in the way', () => {
    const live = refused(409, { detail: 'DEMO-1 has a live run.', runId: 'r1' });
    expect(preflight(undefined, live, NOW)).toEqual({
      tone: 'bad',
      text: 'DEMO-1 has a live run.',
      runId: 'r1',
    });
    expect(preflight(undefined, refused(403), NOW)?.text).toBe('Refused.');
    const field = refused(422, { errors: { scheduledFor: ['Choose a later time.'] } });
    expect(preflight(undefined, field, LATER)?.text).toBe('Choose a later time.');
  });

  it('refuses nothing where the service could not be asked', () => {
    expect(preflight(undefined, refused(0), NOW)).toBeUndefined();
    expect(preflight(undefined, refused(503), NOW)).toBeUndefined();
    expect(preflight(undefined, refused(429), NOW)).toBeUndefined();
    expect(preflight(undefined, undefined, NOW)).toBeUndefined();
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
