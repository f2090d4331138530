/** What happened, by day. Pure. */
import type { Actor, Comment, HistoryEntry, Item, Run } from '@/api/types';

/** What an agent did, or what became of an item; who moved it, and what was said about it. */
export type Happening = { id: string; at: string } & (
  | { run: Run }
  | { item: Item; what: What }
  | { item: Item; move: HistoryEntry }
  | { item: Item; by: Actor; fields: readonly string[] }
  | { item: Item; comment: Comment }
  /** So far back it is told who moved what. */
  | { further: true }
);

/** What became of an item: it was made, it left the backlog, it was finished. */
export type What = 'created' | 'started' | 'finished';

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

const AT = { created: 'createdAt', started: 'startedAt', finished: 'resolvedAt' } as const;

export function ofItems(items: readonly Item[], what: What): Happening[] {
  return items.flatMap((item) => {
    const at = item[AT[what]];
    // An item that is made in progress, or goes from the backlog to its end, is not told of twice.
    const told = what === 'started' && (at === item.createdAt || at === item.resolvedAt);
    return at && !told ? [{ id: `${item.key} ${what}`, at, item, what }] : [];
  });
}

/** Moves and changes, each with who made it. What one person changes one after the other is told as one. */
export function ofHistory(item: Item, entries: readonly HistoryEntry[]): Happening[] {
  const told: Happening[] = [];
  for (const entry of entries) {
    const { id, at, action, actor, field } = entry;
    const last = told.at(-1);
    if (action === 'transitioned' || action === 'transferred') told.push({ id, at, item, move: entry });
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

export function ofComments(item: Item, comments: readonly Comment[]): Happening[] {
  const said = comments.filter(({ deleted }) => !deleted);
  return said.map((comment) => ({ id: comment.id, at: comment.createdAt, item, comment }));
}

/** What is told better by moves that are known: of these items, that they were started and finished is left out. */
export function untold(
  all: readonly Happening[],
  known: ReadonlySet<string>,
  since: string | undefined,
): Happening[] {
  return all.filter((one) => {
    const told = 'what' in one && one.what !== 'created' && known.has(one.item.key);
    return !(told && (since === undefined || one.at >= since));
  });
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
