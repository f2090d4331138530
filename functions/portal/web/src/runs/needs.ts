/** Runs that wait for a person. Pure. */
import type { Item, Run } from '@/api/types';
import { explain } from './explain';
import { lately } from './live';

/** Failures that nobody answered: an item's last run, with something for a person to do. */
export function toMend(runs: readonly Run[], now: number): Run[] {
  return lately(runs, now).filter((run) => explain(run, { operator: true, now }).tone === 'bad');
}

/** Work that an agent finished and nobody accepted yet: its item is still in the works. */
export function toReview(runs: readonly Run[], open: readonly Item[], now: number): Run[] {
  const keys = new Set(open.map(({ key }) => key));
  // A refinement accepts nothing of the work before it.
  const work = runs.filter(({ kind }) => kind !== 'refine');
  return lately(work, now).filter((run) => run.status === 'succeeded' && keys.has(run.item));
}
