/** What the service says will become of a run that is about to be started, in a sentence. Pure. */

import { ProblemError } from '@/api/problem';
import type { Problem, RunPreview } from '@/api/types';
import { listed } from '@/lib/listed';
import { plain } from '@/lib/text';
import { t } from './start-strings';

export interface Preflight {
  tone: 'ok' | 'warn' | 'bad';
  text: string;
  /** The run that stands in the way. */
  runId?: string | undefined;
}

/** When the run is to start, in milliseconds; nothing for now. */
interface Plan {
  at: number | undefined;
  now: number;
}

/** A refusal, a wait or a start. Nothing while the service has not said anything. */
export function preflight(
  preview: RunPreview | undefined,
  error: unknown,
  { at, now }: Plan,
): Preflight | undefined {
  if (at !== undefined && at <= now) return { tone: 'bad', text: t('past') };
  if (error instanceof ProblemError) return refusal(error);
  if (!preview) return undefined;
  const { startsNow, runner, waitingReason, scheduledFor, blockedBy } = preview;
  const keys = blockedBy.length > 0 ? listed(blockedBy) : undefined;
  if (scheduledFor && keys) return { tone: 'warn', text: t('laterBlocked', { keys }) };
  if (scheduledFor) return { tone: 'ok', text: t('later') };
  if (waitingReason) return { tone: 'warn', text: t('waits', { reason: plain(waitingReason) }) };
  if (!startsNow) return undefined;
  if (keys) return { tone: 'warn', text: t('atOnceBlocked', { keys }) };
  return { tone: 'ok', text: runner ? t('atOnce', { runner: plain(runner.name) }) : t('atOnceSomewhere') };
}

/** What refuses the run itself. A service that cannot be reached refuses nothing: starting will say so. */
function refusal({ problem }: ProblemError): Preflight | undefined {
  if (problem.status < 400 || problem.status >= 500 || problem.status === 429) return undefined;
  return { tone: 'bad', text: sentence(problem), ...(problem.runId && { runId: problem.runId }) };
}

/** What a refusal says of the first field that it names, or of the whole. */
export function sentenceOf(error: unknown): string {
  return error instanceof ProblemError ? sentence(error.problem) : '';
}

function sentence({ errors, detail, title }: Problem): string {
  return plain(Object.values(errors ?? {}).flat()[0] ?? detail ?? title);
}
