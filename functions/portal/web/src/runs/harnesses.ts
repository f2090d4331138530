/** The coding harnesses by their names, and how each resumes a session by hand. */
import type { components } from '@/api/schema';
import type { Runner } from '@/api/types';

export type Harness = components['schemas']['Harness'];

interface Known {
  name: string;
  /** The command that resumes a session in the directory where it was. */
  resume: (session: string) => string;
  /** The command that signs it in. */
  signIn: string;
}

const HARNESSES: Record<string, Known> = {
  harness_1: {
    name: 'Claude Code',
    resume: (session) => `claude --resume ${session}`,
    signIn: 'claude /login',
  },
  harness_2: { name: 'Codex CLI', resume: (session) => `codex resume ${session}`, signIn: 'codex login' },
  harness_3: {
    name: 'opencode',
    resume: (session) => `opencode -s ${session}`,
    signIn: 'opencode auth login',
  },
  harness_4: {
    name: 'Cursor CLI',
    resume: (session) => `cursor-agent --resume ${session}`,
    signIn: 'cursor-agent login',
  },
  harness_5: {
    name: 'GitHub Copilot CLI',
    resume: (session) => `copilot --resume ${session}`,
    signIn: 'copilot /login',
  },
};

/** Every harness, in the order in which they are offered. */
export const ALL_HARNESSES = Object.keys(HARNESSES) as Harness[];

/** What some runner offers that takes runs, or what one of them does that alone may take a run. */
export function offeredHarnesses(runners: readonly Runner[], only = ''): ReadonlySet<Harness> {
  const asked = runners.filter(({ id, disabled }) => !disabled && (only === '' || id === only));
  return new Set(asked.flatMap(({ harnesses }) => harnesses));
}

/** Its name; an id that this app does not know is shown as it is. */
export function harnessName(harness: string): string {
  return HARNESSES[harness]?.name ?? harness;
}

/** The command that signs a harness in on a machine. */
export function signInCommand(harness: string): string | undefined {
  return HARNESSES[harness]?.signIn;
}

const SAFE = /^[\w.:-]{1,200}$/;

/** The command that resumes a session by hand. None for a session whose id a shell could misread. */
export function resumeCommand(harness: string, session: string): string | undefined {
  return SAFE.test(session) && !session.startsWith('-') ? HARNESSES[harness]?.resume(session) : undefined;
}
