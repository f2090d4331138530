import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Run } from '@/api/types';
import { FoldedRun, RunFigures, saidOf } from './RunDetails';

const run = {
  id: 'r1',
  organization: 'demo',
  project: 'DEMO',
  item: 'DEMO-1',
  kind: 'implement',
  status: 'timedOut',
  agent: { id: 'a1', name: 'Builder' },
  playbook: { id: 'p1', name: 'Fix bug' },
  runner: { id: 'm1', name: 'build-1' },
  harness: 'harness_1',
  requestedBy: { id: 'u1', name: 'Ada', agent: false },
  branch: 'svc/DEMO-1',
  deliveryMode: 'branchAndPullRequest',
  queuedAt: '2026-11-22T11:00:00Z',
  startedAt: '2026-11-22T11:30:00Z',
  finishedAt: '2026-11-22T12:35:00Z',
  outcome: 'Run stopped at its time limit of 65 minutes.',
  pullRequest: 'https://code.example/acme/app/pull/41',
  exitCode: 137,
  cost: 0.42,
  tokens: { input: 1200, output: 3400, cacheRead: 100, cacheWrite: 0 },
  version: 1,
} as Run;

/** The facts that are shown, by their names. */
function facts(): Record<string, string> {
  const pairs = [...document.querySelectorAll('dl > div')];
  return Object.fromEntries(
    pairs.map(({ children: [name, value] }) => [name?.textContent ?? '', value?.textContent ?? '']),
  );
}

it('tells who is no operator all that the service tells them of a run', () => {
  render(<FoldedRun run={run} />);
  expect(facts()).toMatchObject({
    Worked: '1 h 05 min',
    Cost: '$0.42',
    Tokens: '1.2K in, 3.4K out, 100 cached',
    'Exit code': '137',
    'Requested by': 'Ada',
    Agent: 'Builder',
    Playbook: 'Fix bug',
    Harness: 'Claude Code',
    Runner: 'build-1',
    Branch: 'svc/DEMO-1',
  });
  expect(Object.keys(facts())).toEqual(expect.arrayContaining(['Queued', 'Started', 'Ended']));
  screen.getByText('Run stopped at its time limit of 65 minutes.');
  expect(screen.getByRole('link', { name: 'Open pull request' }).getAttribute('href')).toBe(run.pullRequest);
});

it('leaves out what is not known yet, and says what happens until it is over', () => {
  const { outcome, pullRequest, exitCode, cost, tokens, finishedAt, ...begun } = run;
  const live = { ...begun, status: 'running' } as Run;
  render(<RunFigures run={live} />);
  expect(Object.keys(facts())).not.toContain('Cost');
  expect(Object.keys(facts())).not.toContain('Ended');
  expect(saidOf(live)).toBe('Claude Code works on build-1.');
});
