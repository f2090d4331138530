/** What a project needs before an agent can work in it, and what of it is there. Pure. */
import type { components } from '@/api/schema';
import type { Agent, Playbook, Run, Runner, Workflow } from '@/api/types';
import type { Harness } from './harnesses';

export type Step = 'runner' | 'agent' | 'playbook' | 'repository';

export interface Factory {
  project: string;
  runners: readonly Runner[];
  agents: readonly Agent[];
  playbooks: readonly Playbook[];
  settings: components['schemas']['FactorySettings'];
  /** The latest runs of the organization. */
  runs: readonly Run[];
}

export interface Missing {
  step: Step;
  /** What is there and only has to be made the default. */
  candidate?: { id: string; name: string } | undefined;
}

export const STEPS: readonly Step[] = ['runner', 'agent', 'playbook', 'repository'];

/** What is missing, in the order of the steps. Without an agent and a playbook nothing can be started at all. */
export function missing(factory: Factory): Missing[] {
  const { project, settings, runs } = factory;
  const agents = factory.agents.filter(({ disabled }) => !disabled);
  const worked = runs.some((run) => run.project === project && run.status === 'succeeded');
  const connected = factory.runners.some(({ disabled, lastSeenAt }) => !disabled && lastSeenAt);
  // The service takes the only agent that there is; of several it wants to know which.
  const agent = agents.length === 1 || agents.some(({ id }) => id === settings.defaultAgent?.id);
  const playbook = factory.playbooks.some(({ projectDefault }) => projectDefault);
  // A clone that a runner was told of shows by the work that was done in it.
  const repository =
    settings.repositorySource === 'codeHost'
      ? Boolean(settings.repository)
      : Boolean(settings.pathHint) || worked;
  const there = { runner: connected, agent, playbook, repository };
  const candidates: Partial<Record<Step, { id: string; name: string } | undefined>> = {
    agent: agents[0],
    playbook: factory.playbooks[0],
  };
  return STEPS.filter((step) => !there[step]).map((step) => ({ step, candidate: candidates[step] }));
}

/** The harness of a first playbook: one that a machine has. */
export function harnessHere(runners: readonly Runner[]): Harness {
  const usable = runners.filter(({ disabled }) => !disabled);
  const best = usable.find(({ online, harnesses }) => online && harnesses.length > 0) ?? usable[0];
  return (best?.harnesses[0] ?? 'harness_1') as Harness;
}

/** Where finished work waits for a person, in workflows that have such a state. */
export function reviewState({ states }: Workflow): string | null {
  return states.find(({ name, group }) => group === 'active' && /review/i.test(name))?.name ?? null;
}
