/** Which runs still go on, and which ended a short while ago. Pure. */
import type { Run } from '@/api/types';

const LIVE = ['queued', 'assigned', 'running'];
const A_WEEK = 7 * 86_400_000;

/** Whether a run waits or works. */
export function isLive(run: Pick<Run, 'status'>): boolean {
  return LIVE.includes(run.status);
}

/** The last run of each item, newest first, as far as it ended within a week. */
export function lately(runs: readonly Run[], now: number): Run[] {
  const last = new Map<string, Run>();
  for (const run of runs) if (!last.has(run.item)) last.set(run.item, run);
  const ended = [...last.values()].filter((run) => !isLive(run));
  return ended.filter((run) => now - Date.parse(run.finishedAt ?? run.queuedAt) < A_WEEK);
}
