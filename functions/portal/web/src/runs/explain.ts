/**
 * What a run says about itself: one word, one sentence of what happened, one of what to do, and the actions that do
 * it. Pure, and tested over every status, waiting reason and failure reason.
 *
 * A viewer who is no factory operator is told neither reasons nor actions.
 */
import type { Run } from '@/api/types';
import { clockTime, duration, serverNow } from '@/lib/times';
import { harnessName, resumeCommand, signInCommand } from './harnesses';
import { isLive } from './live';
import { t } from './strings';
import { type Waiting, waitingKind } from './waiting';
import { t as waits } from './waiting-strings';

export type Tone = 'wait' | 'work' | 'ok' | 'bad' | 'off';

/** What can be done with a run. The first that fits is the one to offer loudest. */
export type Remedy =
  | 'cancel'
  | 'continue'
  | 'retry'
  | 'start'
  | 'followUp'
  | 'log'
  | 'runners'
  | 'agents'
  | 'budgets'
  | 'playbook'
  | 'settings'
  | 'item';

interface Explanation {
  tone: Tone;
  /** For the chip: state by word. */
  word: string;
  /** For the chip, after the word: why or how long. */
  note: string | undefined;
  happened: string;
  /** What the person does next; nothing where there is nothing to do. */
  next: string | undefined;
  remedies: Remedy[];
  /** A command to run on the runner's machine. */
  command: string | undefined;
}

interface Circumstances {
  operator: boolean;
  now?: number;
}

/** Everything to say about a run. */
export function explain(run: Run, circumstances: Circumstances): Explanation {
  const now = circumstances.now ?? serverNow();
  switch (run.status) {
    case 'queued':
      return queued(run, circumstances.operator, now);
    case 'assigned':
      return at(
        'work',
        t('starting'),
        undefined,
        t('assigned', { runner: run.runner?.name ?? t('aRunner') }),
        { operator: circumstances.operator, remedies: ['cancel'] },
      );
    case 'running':
      return running(run, circumstances.operator, now);
    case 'succeeded':
      return succeeded(run, circumstances.operator);
    case 'cancelled':
      return at('off', t('cancelled'), undefined, t('cancelledDetail'), {
        operator: circumstances.operator,
        remedies: ['start'],
      });
    case 'timedOut':
      return at('bad', t('timedOut'), undefined, t('timedOutDetail'), {
        operator: circumstances.operator,
        next: t(run.startedAt ? 'timedOutNext' : 'timedOutAgain'),
        remedies: run.startedAt ? ['continue', 'playbook', 'log'] : ['start'],
      });
    case 'failed':
      return failed(run, circumstances.operator);
    default:
      // A state that is newer than this page is shown by its own name.
      return at('off', String(run.status), undefined, String(run.status), { operator: false });
  }
}

interface More {
  operator: boolean;
  next?: string | undefined;
  remedies?: Remedy[];
  command?: string | undefined;
}

function at(tone: Tone, word: string, note: string | undefined, happened: string, more: More): Explanation {
  const { operator, next, remedies, command } = more;
  if (!operator)
    return { tone, word, note: undefined, happened, next: undefined, remedies: [], command: undefined };
  return { tone, word, note, happened, next, remedies: remedies ?? [], command };
}

function queued(run: Run, operator: boolean, now: number): Explanation {
  if (run.scheduledFor && Date.parse(run.scheduledFor) > now) {
    const time = clockTime(run.scheduledFor, now);
    const said = at('wait', t('scheduled', { time }), undefined, t('scheduledDetail', { time }), {
      operator,
      remedies: ['cancel'],
    });
    return said;
  }
  if (!operator) return at('wait', t('queued'), undefined, t('queuedDetail'), { operator });
  const reason = run.waitingReason ?? '';
  const kind = waitingKind(reason);
  const command = kind === 'offline' || kind === 'chosenOffline' ? 'svc runner start' : undefined;
  const note = kind && waits(`waits_${kind}`);
  return at('wait', t('queued'), note, reason || t('queuedDetail'), {
    operator,
    next: kind && !tellsNext(kind) ? t(`waitsNext_${kind}`) : undefined,
    remedies: [...(WAIT_ENDS[kind ?? 'none'] ?? []), 'cancel'],
    command,
  });
}

/** Where a wait is ended, besides by cancelling. Nowhere for what ends by itself. */
const WAIT_ENDS: Partial<Record<Waiting, Remedy[]>> = {
  none: ['runners'],
  offline: ['runners'],
  harness: ['runners'],
  chosenOffline: ['runners'],
  budget: ['budgets'],
  agent: ['agents'],
  agentDeleted: ['agents'],
};

type ToldByService = 'harness' | 'budget' | 'agent' | 'agentDeleted' | 'archived' | 'readOnly' | 'requester';
const TOLD: readonly Waiting[] = [
  'harness',
  'budget',
  'agent',
  'agentDeleted',
  'archived',
  'readOnly',
  'requester',
];

/** Whether the service's sentence says itself what to do. */
function tellsNext(kind: Waiting): kind is ToldByService {
  return TOLD.includes(kind);
}

function running(run: Run, operator: boolean, now: number): Explanation {
  const since = run.startedAt ? duration(now - Date.parse(run.startedAt)) : '';
  const happened = t('runningDetail', {
    harness: harnessName(run.harness),
    runner: run.runner?.name ?? t('aRunner'),
  });
  const said = at('work', t('running'), undefined, happened, { operator, remedies: ['cancel', 'log'] });
  return { ...said, note: since || undefined };
}

function succeeded(run: Run, operator: boolean): Explanation {
  const number = pullRequestNumber(run.pullRequest);
  const happened = run.pullRequest
    ? t('succeededRequest')
    : run.deliveryMode === 'pushToDefaultBranch'
      ? t('succeededPush', { branch: run.directTarget ?? run.branch })
      : t('succeededPlain');
  const said = at('ok', t('succeeded'), undefined, happened, {
    operator,
    next: t(run.pullRequest ? 'succeededNext' : 'succeededLook'),
    remedies: ['followUp', 'log'],
  });
  return { ...said, note: number ? `#${number}` : undefined };
}

/** The number of a pull request, from its address. */
export function pullRequestNumber(address: string | null | undefined): string | undefined {
  return /\/(?:pull|merge_requests|pull-requests)\/(\d+)/.exec(address ?? '')?.[1];
}

/** Reasons and what mends them. A missing command or remedy is none. */
const REASONS: Record<string, { remedies: Remedy[]; command?: (run: Run) => string | undefined }> = {
  'harness-unavailable': { remedies: ['retry', 'runners'], command: () => 'svc runner status' },
  'no-local-repository': {
    remedies: ['retry', 'settings'],
    command: (run) => `svc runner map ${run.project} /path/to/clone`,
  },
  'no-remote': { remedies: ['retry', 'settings'], command: () => 'git remote add origin ADDRESS' },
  'workspace-failed': { remedies: ['retry', 'log'] },
  'runner-lost': { remedies: ['continue', 'retry', 'runners'], command: () => 'svc runner start' },
  'harness-rate-limited': { remedies: ['continue', 'retry', 'log'] },
  'harness-transient': { remedies: ['continue', 'retry', 'log'] },
  'harness-crashed': { remedies: ['continue', 'retry', 'log'] },
  'harness-not-authenticated': {
    remedies: ['continue', 'retry', 'runners'],
    command: (run) => signInCommand(run.harness),
  },
  'harness-model-unavailable': { remedies: ['agents', 'continue', 'retry'] },
  'harness-failed': { remedies: ['log', 'continue', 'retry'] },
  'nothing-delivered': { remedies: ['log', 'continue', 'retry'] },
  'session-unavailable': { remedies: ['retry'] },
  'follow-up-target-missing': { remedies: ['start', 'item'] },
  'budget-exceeded': { remedies: ['continue', 'budgets', 'log'] },
};

/** Every reason that this app explains. */
export const FAILURE_REASONS = Object.keys(REASONS);

type ReasonKey =
  | 'harness_unavailable'
  | 'no_local_repository'
  | 'no_remote'
  | 'workspace_failed'
  | 'runner_lost'
  | 'harness_rate_limited'
  | 'harness_transient'
  | 'harness_crashed'
  | 'harness_not_authenticated'
  | 'harness_model_unavailable'
  | 'harness_failed'
  | 'nothing_delivered'
  | 'session_unavailable'
  | 'follow_up_target_missing'
  | 'budget_exceeded';

function failed(run: Run, operator: boolean): Explanation {
  const reason = run.failureReason ?? '';
  const known = REASONS[reason];
  // Only the service knows what happened since: whether it goes on by itself is told, never guessed.
  const alone = Boolean(run.continuesAt);
  if (!known) {
    const happened = run.failureDetail ?? (reason || t('failedDetail'));
    return at('bad', t('failed'), undefined, operator ? happened : t('failedDetail'), {
      operator,
      next: t(alone ? 'goesOn' : 'failedNext'),
      remedies: ['log', ...again(run, alone)],
    });
  }
  const key = reason.replaceAll('-', '_') as ReasonKey;
  const values = {
    harness: harnessName(run.harness),
    project: run.project,
    runner: run.runner?.name ?? t('aRunner'),
    agent: run.agent.name,
  };
  const next = alone ? t('goesOn') : t(`mend_${key}`, values);
  const remedies = known.remedies.filter((remedy) => remedy !== 'continue' || (run.startedAt && !alone));
  return at('bad', t('failed'), t(`short_${key}`), operator ? t(`why_${key}`, values) : t('failedDetail'), {
    operator,
    next,
    remedies,
    command: known.command?.(run),
  });
}

function again(run: Run, alone: boolean): Remedy[] {
  return run.startedAt && !alone ? ['continue', 'retry'] : ['retry'];
}

const RESUMABLE = 5 * 24 * 3_600_000;

/** The command that resumes the session by hand, and until when the runner keeps its workspace. */
export function manualResume(run: Run, now: number): { command: string; until: string } | undefined {
  if (isLive(run) || !run.harnessSession || !run.finishedAt) return undefined;
  const until = Date.parse(run.finishedAt) + RESUMABLE;
  const command = resumeCommand(run.harness, run.harnessSession);
  return command && now < until ? { command, until: new Date(until).toISOString() } : undefined;
}
