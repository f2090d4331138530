/**
 * What becomes of a change that somebody else was faster than. Fields that only one side changed are no conflict; a
 * text is merged line by line; the rest is a question to the person.
 */
import { longestCommon } from '@/lib/lines';

/** Fields of which both sides have a new and different value. */
export function contested<T extends object>(fields: Partial<T>, before: Partial<T>, now: T): (keyof T)[] {
  return (Object.keys(fields) as (keyof T)[]).filter(
    (field) => !same(now[field], before[field]) && !same(now[field], fields[field]),
  );
}

/** Whether two values of fields are the same. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** The two sides of a text put together, or the place where they disagree. */
export type Merged = { text: string } | { conflict: true };

/** A three-way merge by line. */
export function mergeText(base: string, mine: string, theirs: string): Merged {
  if (mine === theirs || base === theirs) return { text: mine };
  if (base === mine) return { text: theirs };
  const lines = base.split('\n');
  const ours = edits(lines, mine.split('\n'));
  const others = edits(lines, theirs.split('\n'));
  const merged = interleave(lines, ours, others);
  return merged ? { text: merged.join('\n') } : { conflict: true };
}

/** Lines `from` up to `to` of the base are replaced by `lines`. */
interface Edit {
  from: number;
  to: number;
  lines: string[];
}

function interleave(base: string[], ours: Edit[], others: Edit[]): string[] | undefined {
  const all = [...ours, ...others.filter((edit) => !ours.some((own) => same(own, edit)))];
  all.sort((a, b) => a.from - b.from || a.to - b.to);
  const result: string[] = [];
  let at = 0;
  for (const [index, edit] of all.entries()) {
    const previous = all[index - 1];
    // Two edits at one place are a conflict: which comes first is a question.
    if (previous && (edit.from < previous.to || edit.from === previous.from)) return undefined;
    result.push(...base.slice(at, edit.from), ...edit.lines);
    at = edit.to;
  }
  return [...result, ...base.slice(at)];
}

/** The changes that lead from one list of lines to another. */
function edits(from: string[], to: string[]): Edit[] {
  const common = longestCommon(from, to);
  const found: Edit[] = [];
  let a = 0;
  let b = 0;
  for (const [x, y] of [...common, [from.length, to.length] as const]) {
    if (x > a || y > b) found.push({ from: a, to: x, lines: to.slice(b, y) });
    a = x + 1;
    b = y + 1;
  }
  return found;
}
