/** What happened, by day. Pure. */
import type { Item, Run } from '@/api/types';

/** What an agent did, or what somebody did with an item. */
export type Happening =
  | { id: string; at: string; run: Run }
  | { id: string; at: string; item: Item; what: 'created' | 'finished' };

export interface Day {
  label: string;
  happenings: Happening[];
}

const format = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

/** When a run last changed. */
export function lastOf(run: Run): string {
  return run.finishedAt ?? run.startedAt ?? run.assignedAt ?? run.queuedAt;
}

export function ofRuns(runs: readonly Run[]): Happening[] {
  return runs.map((run) => ({ id: run.id, at: lastOf(run), run }));
}

export function ofItems(items: readonly Item[], what: 'created' | 'finished'): Happening[] {
  return items.flatMap((item) => {
    const at = what === 'created' ? item.createdAt : item.resolvedAt;
    return at ? [{ id: `${item.key} ${what}`, at, item, what }] : [];
  });
}

/** The lists as one, as far back as all of them go: one that is `full` has more than was read. */
export function together(lists: readonly { all: readonly Happening[]; full: boolean }[]): Happening[] {
  const time = ({ at }: Happening) => Date.parse(at);
  const ends = lists.flatMap(({ all, full }) => (full ? [Math.min(...all.map(time))] : []));
  const since = Math.max(Number.NEGATIVE_INFINITY, ...ends);
  return lists.flatMap(({ all }) => all.filter((one) => time(one) >= since));
}

/** Newest first; days are those of the viewer. */
export function byDay(all: readonly Happening[], now: number): Day[] {
  const today = new Date(now).toDateString();
  const yesterday = new Date(now - 86_400_000).toDateString();
  const days: Day[] = [];
  const sorted = [...all].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  for (const one of sorted) {
    const at = new Date(one.at);
    const day = at.toDateString();
    const label = day === today ? 'Today' : day === yesterday ? 'Yesterday' : format.format(at);
    const last = days.at(-1);
    if (last?.label === label) last.happenings.push(one);
    else days.push({ label, happenings: [one] });
  }
  return days;
}
