import { describe, expect, it } from 'vitest';
import type { Run } from '@/api/types';
import { explain, FAILURE_REASONS, manualResume, pullRequestNumber } from './explain';
import { waitingKind } from './waiting';

const NOW = Date.parse('2026-11-22T12:00:00Z');

/** A run with what every run has. */
function run(fields: Partial<Omit<Run, 'failureReason'>> & { failureReason?: string | null } = {}): Run {
  return {
    id: 'r1',
    organization: 'demo',
    project: 'DEMO',
    item: 'DEMO-1',
    kind: 'implement',
    status: 'queued',
    agent: { id: 'a1', name: 'Robin' },
    playbook: { id: 'p1', name: 'Fix bug' },
    runner: { id: 'm1', name: 'build-1' },
    harness: 'harness_1',
    requestedBy: { id: 'u1', name: 'Ada', agent: false },
    branch: 'svc/DEMO-1',
    deliveryMode: 'branchAndPullRequest',
    queuedAt: '2026-11-22T11:00:00Z',
    startedAt: '2026-11-22T11:30:00Z',
    finishedAt: '2026-11-22T11:59:40Z',
    version: 1,
    ...fields,
  } as Run;
}

const WAITING = [
  'There is no runner yet. Create one and start it on a machine.',
  'No runner is online. Start one with `svc runner start`.',
  'No online runner has Claude Code. Install it on a runner, or change the playbook.',
  'Every online runner with Claude Code is busy.',
  'The chosen runner build-1 is offline. Start it, or cancel the run and start it again for any runner.',
  'The chosen runner build-1 is busy with another run.',
  'DEMO-1 is blocked by DEMO-2 and DEMO-3.',
  "The project's budget for runs a day is used up. The run begins tomorrow (UTC), or when an Admin raises the budget.",
  'The agent Builder is disabled. Enable it, or cancel the run and start it with another agent.',
  'The agent Builder was deleted. Restore it within its 30 days, or cancel the run and start it with another agent.',
  'The project is archived. The run begins when it is unarchived; cancel it to free the item.',
  'The organization is read-only. The run begins when the organization is writable again; cancel it to free the item.',
  'Ada started this run but may no longer start AI work here. Cancel it, and ask somebody with the permission to start another.',
  'A reason that is newer than this page.',
];

/** Every status with every reason that goes with it. */
const CASES: [string, Run][] = [
  ...WAITING.map((waitingReason): [string, Run] => [waitingReason, run({ status: 'queued', waitingReason })]),
  ['scheduled', run({ status: 'queued', scheduledFor: '2026-11-22T18:00:00Z' })],
  ...(['assigned', 'running', 'succeeded', 'cancelled', 'timedOut'] as const).map((status): [string, Run] => [
    status,
    run({ status }),
  ]),
  [
    'succeeded with a pull request',
    run({ status: 'succeeded', pullRequest: 'https://code.example/acme/app/pull/41' }),
  ],
  [
    'succeeded by a push',
    run({ status: 'succeeded', deliveryMode: 'pushToDefaultBranch', directTarget: 'main' }),
  ],
  ...[...FAILURE_REASONS, 'a-reason-to-come'].map((failureReason): [string, Run] => [
    failureReason,
    run({ status: 'failed', failureReason }),
  ]),
];

describe('explain', () => {
  it.each(CASES)('says a sentence of what happened: %s', (_, case_) => {
    const said = explain(case_, { operator: true, now: NOW });
    expect(said.word).not.toBe('');
    expect(said.happened).toMatch(/\S/);
    expect(said.happened).not.toContain('{');
    expect(said.next ?? '').not.toContain('{');
  });

  it.each(CASES)('tells a viewer who is no operator neither reason nor remedy: %s', (_, case_) => {
    const said = explain(case_, { operator: false, now: NOW });
    expect(said.remedies).toEqual([]);
    expect(said.command).toBeUndefined();
    expect(said.next).toBeUndefined();
    if (case_.failureReason) expect(said.happened).toBe('The run failed.');
    if (case_.waitingReason) expect(said.happened).toBe('The run waits for a runner.');
  });

  it('names what to do for every failure', () => {
    for (const failureReason of FAILURE_REASONS) {
      const said = explain(run({ status: 'failed', failureReason, finishedAt: '2026-11-20T00:00:00Z' }), {
        operator: true,
        now: NOW,
      });
      expect(said.next, failureReason).toMatch(/\S/);
      expect(said.remedies.length, failureReason).toBeGreaterThan(0);
    }
  });

  it('names no runner as the remedy for a run whose item is blocked', () => {
    const waitingReason = 'DEMO-1 is blocked by DEMO-2.';
    const said = explain(run({ status: 'queued', waitingReason }), { operator: true, now: NOW });
    expect(said.next).toMatch(/when what blocks the item is resolved or closed/);
    expect(said.remedies).toEqual(['cancel']);
  });

  it('leads to the budgets from a run that waits for one, and says nothing twice', () => {
    const waitingReason = "The agent's budget for cost a day is used up. The run begins tomorrow (UTC).";
    const said = explain(run({ status: 'queued', waitingReason }), { operator: true, now: NOW });
    expect([said.note, said.happened, said.next]).toEqual(['over budget', waitingReason, undefined]);
    expect(said.remedies).toEqual(['budgets', 'cancel']);
  });

  it('says of a harness that was chosen what the service says, and not to change the playbook', () => {
    const waitingReason =
      'No online runner has Codex CLI. Install it on a runner, or cancel the run and start it with another harness.';
    const said = explain(run({ status: 'queued', waitingReason }), { operator: true, now: NOW });
    expect([said.note, said.happened, said.next]).toEqual([
      'no runner with this harness',
      waitingReason,
      undefined,
    ]);
    expect(said.remedies).toEqual(['runners', 'cancel']);
  });

  it('offers Retry only, and never Continue, after a workspace that could not be prepared', () => {
    const said = explain(run({ status: 'failed', failureReason: 'workspace-failed' }), {
      operator: true,
      now: NOW,
    });
    expect(said.remedies).toContain('retry');
    expect(said.remedies).not.toContain('continue');
  });

  it('does not offer Continue for a run whose harness never started', () => {
    for (const failureReason of [...FAILURE_REASONS, 'a-reason-to-come']) {
      const said = explain(run({ status: 'failed', failureReason, startedAt: null }), {
        operator: true,
        now: NOW,
      });
      expect(said.remedies, failureReason).not.toContain('continue');
    }
  });

  it('recognizes every reason that the service gives for waiting', () => {
    expect(WAITING.map(waitingKind)).toEqual([
      'none',
      'offline',
      'harness',
      'busy',
      'chosenOffline',
      'chosenBusy',
      'blocked',
      'budget',
      'agent',
      'agentDeleted',
      'archived',
      'readOnly',
      'requester',
      undefined,
    ]);
  });

  it('shows a state that it does not know by its name', () => {
    expect(explain(run({ status: 'paused' as never }), { operator: true, now: NOW }).word).toBe('paused');
  });
});

describe('continuing by itself', () => {
  const crashed = run({ status: 'failed', failureReason: 'harness-crashed' });
  const said = (more: Partial<Run>) => explain({ ...crashed, ...more }, { operator: true, now: NOW });

  it.each(['harness-crashed', 'harness-failed', 'a-reason-to-come'])(
    'is told where the service says so: %s',
    (failureReason) => {
      const { next, remedies } = said({ failureReason, continuesAt: '2026-11-22T12:00:40Z' });
      expect(next).toBe('It continues by itself.');
      expect(remedies).not.toContain('continue');
    },
  );

  it('is promised for no reason that the service does not promise it for', () => {
    for (const failureReason of [...FAILURE_REASONS, 'a-reason-to-come'])
      expect(said({ failureReason }).next, failureReason).not.toMatch(/by itself/);
  });

  it('is not promised after somebody was faster, and continuing by hand is offered again', () => {
    const { next, remedies } = said({});
    expect(next).toBe('Read the end of the log, then start it again.');
    expect(remedies).toContain('continue');
  });
});

describe('resuming by hand', () => {
  it('is offered for five days, for a session that a shell cannot misread', () => {
    const done = run({ status: 'failed', harnessSession: '0b3c-9' });
    expect(manualResume(done, NOW)).toEqual({
      command: 'claude --resume 0b3c-9',
      until: '2026-11-27T11:59:40.000Z',
    });
    expect(manualResume(done, NOW + 6 * 86_400_000)).toBeUndefined();
    expect(manualResume({ ...done, harnessSession: 'x; rm -rf /' }, NOW)).toBeUndefined();
    expect(manualResume({ ...done, harnessSession: '--help' }, NOW)).toBeUndefined();
    expect(manualResume({ ...done, status: 'running' }, NOW)).toBeUndefined();
  });
});

describe('pull request number', () => {
  it('is read from addresses of the usual hosts', () => {
    expect(pullRequestNumber('https://github.com/a/b/pull/41')).toBe('41');
    expect(pullRequestNumber('https://gitlab.example/a/b/-/merge_requests/7')).toBe('7');
    expect(pullRequestNumber('https://example.com/41')).toBeUndefined();
    expect(pullRequestNumber(null)).toBeUndefined();
  });
});
