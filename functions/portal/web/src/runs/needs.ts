/** Runs that wait for a person. Pure. */
import type { Item, Run } from '@/api/types';
import { explain, isLive } from './explain';

const A_WEEK = 7 * 86_400_000;

/** The last run of each item, newest first, as far as it ended within a week. */
export function lately(runs: readonly Run[], now: number): Run[] {
  const last = new Map<string, Run>();
  for (const run of runs) if (!last.has(run.item)) last.set(run.item, run);
  const ended = [...last.values()].filter((run) => !isLive(run));
  return ended.filter((run) => now - Date.parse(run.finishedAt ?? run.queuedAt) < A_WEEK);
}

/** Failures that nobody answered: an item's last run, with something for a person to do. */
export function toMend(runs: readonly Run[], now: number): Run[] {
  return lately(runs, now).filter((run) => explain(run, { operator: true, now }).tone === 'bad');
}

/** Work that an agent finished and nobody accepted yet: its item is still in the works. */
export function toReview(runs: readonly Run[], open: readonly Item[], now: number): Run[] {
  const keys = new Set(open.map(({ key }) => key));
  return lately(runs, now).filter(
    (run) => run.status === 'succeeded' && run.kind !== 'refine' && keys.has(run.item),
  );
}
