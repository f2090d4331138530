import { describe, expect, it } from 'vitest';
import type { Agent, Playbook, Run, Runner } from '@/api/types';
import { type Factory, harnessHere, missing } from './readiness';

const runner = (more: Partial<Runner> = {}) =>
  ({ id: 'r', name: 'build', disabled: false, online: true, harnesses: ['harness_2'], ...more }) as Runner;
const agent = (id: string, disabled = false) => ({ id, name: id, disabled }) as Agent;
const playbook = (id: string, projectDefault = false) => ({ id, name: id, projectDefault }) as Playbook;
const settings = {
  repositorySource: 'runnerLocal',
  defaultBranch: 'main',
  version: 1,
} as Factory['settings'];
const nothing: Factory = { project: 'DEMO', runners: [], agents: [], playbooks: [], settings, runs: [] };
const steps = (more: Partial<Factory>) => missing({ ...nothing, ...more }).map(({ step }) => step);

describe('what is missing', () => {
  it('is everything at first', () => {
    expect(steps({})).toEqual(['runner', 'agent', 'playbook', 'repository']);
  });

  it('is a machine until one has connected', () => {
    expect(steps({ runners: [runner()] })).toContain('runner');
    const seen = { lastSeenAt: '2026-11-28T09:00:00Z' };
    expect(steps({ runners: [runner({ ...seen, disabled: true })] })).toContain('runner');
    expect(steps({ runners: [runner(seen)] })).not.toContain('runner');
  });

  it('is the choice among several agents, which one can be offered', () => {
    expect(steps({ agents: [agent('a')] })).not.toContain('agent');
    expect(steps({ agents: [agent('a', true)] })).toContain('agent');
    const [choice] = missing({ ...nothing, agents: [agent('a'), agent('b')] }).slice(1);
    expect(choice).toEqual({ step: 'agent', candidate: agent('a') });
    const defaultAgent = { id: 'b', name: 'b' };
    expect(
      steps({ agents: [agent('a'), agent('b')], settings: { ...settings, defaultAgent } }),
    ).not.toContain('agent');
  });

  it('is a default among the playbooks', () => {
    expect(steps({ playbooks: [playbook('p')] })).toContain('playbook');
    expect(steps({ playbooks: [playbook('p', true)] })).not.toContain('playbook');
  });

  it('is the repository until it is named, or work was done in it', () => {
    expect(steps({ settings: { ...settings, pathHint: '~/src/demo' } })).not.toContain('repository');
    const hosted = { ...settings, repositorySource: 'codeHost' as const };
    expect(steps({ settings: hosted })).toContain('repository');
    expect(steps({ settings: { ...hosted, repository: 'acme/demo' } })).not.toContain('repository');
    const run = { project: 'DEMO', status: 'succeeded' } as Run;
    expect(steps({ runs: [run] })).not.toContain('repository');
    expect(steps({ runs: [{ ...run, project: 'OTHER' }] })).toContain('repository');
  });
});

it('takes a harness of a machine that is there', () => {
  expect(harnessHere([runner({ online: false, harnesses: ['harness_3'] }), runner()])).toBe('harness_2');
  expect(harnessHere([])).toBe('harness_1');
});
