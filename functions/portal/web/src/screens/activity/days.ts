/** What happened, by day. Pure. */
import type { ActiveComment, ActiveItem, Actor, HistoryEntry, Run } from '@/api/types';

/** What an agent did, or what became of an item: who made, moved or changed it, and what was said about it. */
export type Happening = { id: string; at: string } & (
  | { run: Run }
  | { item: ActiveItem; by: Actor; made: true }
  | { item: ActiveItem; move: HistoryEntry }
  | { item: ActiveItem; by: Actor; fields: readonly string[] }
  | { item: ActiveItem; comment: ActiveComment }
  /** So far back it is told what happened to items. */
  | { further: true }
);

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

/** What happened to items. */
export function ofItems(items: readonly ActiveItem[]): Happening[] {
  return items.flatMap((item) => [...ofHistory(item), ...ofComments(item)]);
}

/** That it was made, moves and changes, each with who did it. What one person changes one after the other is one. */
function ofHistory(item: ActiveItem): Happening[] {
  const told: Happening[] = [];
  for (const entry of item.history) {
    const { at, action, actor, field } = entry;
    const id = `${item.key} ${entry.id}`;
    const last = told.at(-1);
    if (action === 'created') told.push({ id, at, item, by: actor, made: true });
    else if (action === 'transitioned' || action === 'transferred') told.push({ id, at, item, move: entry });
    else if (action === 'changed' && field) {
      if (last && 'fields' in last && last.by.id === actor.id && isSoon(at, last.at))
        told[told.length - 1] = { ...last, fields: [...new Set([...last.fields, field])] };
      else told.push({ id, at, item, by: actor, fields: [field] });
    }
  }
  return told;
}

const HOUR = 3_600_000;
const isSoon = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other)) < HOUR;

function ofComments(item: ActiveItem): Happening[] {
  return item.comments.map((comment) => ({ id: comment.id, at: comment.createdAt, item, comment }));
}

/** Happenings, and since when they are all there are; undefined where none is missing. */
export interface Known {
  all: readonly Happening[];
  since: string | undefined;
}

/** The lists as one, as far back as all of them go. */
export function together(lists: readonly Known[]): Happening[] {
  const since = Math.max(
    Number.NEGATIVE_INFINITY,
    ...lists.flatMap(({ since }) => (since === undefined ? [] : [Date.parse(since)])),
  );
  return lists.flatMap(({ all }) => all.filter(({ at }) => Date.parse(at) >= since));
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
