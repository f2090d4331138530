/** Runs by the day on which something happened to them last. Pure. */
import type { Run } from '@/api/types';

export interface Day {
  label: string;
  runs: Run[];
}

const format = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

/** When a run last changed. */
export function lastOf(run: Run): string {
  return run.finishedAt ?? run.startedAt ?? run.assignedAt ?? run.queuedAt;
}

/** Newest first; days are those of the viewer. */
export function byDay(runs: readonly Run[], now: number): Day[] {
  const today = new Date(now).toDateString();
  const yesterday = new Date(now - 86_400_000).toDateString();
  const days: Day[] = [];
  const sorted = [...runs].sort((a, b) => Date.parse(lastOf(b)) - Date.parse(lastOf(a)));
  for (const run of sorted) {
    const at = new Date(lastOf(run));
    const day = at.toDateString();
    const label = day === today ? 'Today' : day === yesterday ? 'Yesterday' : format.format(at);
    const last = days.at(-1);
    if (last?.label === label) last.runs.push(run);
    else days.push({ label, runs: [run] });
  }
  return days;
}
