/** Puts two changes of a text together, line by line. Loaded when somebody else was faster. */
import { longestCommon } from './lines';

/** The two sides of a text put together, or the place where they disagree. */
type Merged = { text: string } | { conflict: true };

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

/**
 * Both sides as one text to go on from: what only one of them changed is changed, and lines that both changed stand twice,
 * first theirs and then mine.
 */
export function bothOf(base: string, mine: string, theirs: string): string {
  const lines = base.split('\n');
  const ours = edits(lines, mine.split('\n'));
  const others = edits(lines, theirs.split('\n'));
  const result: string[] = [];
  let at = 0;
  for (const { from, to } of places([...ours, ...others])) {
    const before = lines.slice(from, to).join('\n');
    const [first, second] = [others, ours].map((side) => applied(lines, side, from, to));
    const changed = [first, second].filter((side) => side?.join('\n') !== before);
    const twice = changed.length > 1 && first?.join('\n') !== second?.join('\n');
    result.push(...lines.slice(at, from), ...((twice ? changed.flat() : (changed[0] ?? [])) as string[]));
    at = to;
  }
  return [...result, ...lines.slice(at)].join('\n');
}

/** Where edits are, those that touch each other as one. */
function places(all: readonly Edit[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of [...all].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = found.at(-1);
    if (last && (from < last.to || from === last.from)) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}

/** A part of the lines as one side has it. */
function applied(lines: string[], side: readonly Edit[], from: number, to: number): string[] {
  const within = side.filter((edit) => edit.from >= from && edit.to <= to && (edit.from < to || from === to));
  let at = from;
  const result = within.flatMap((edit) => {
    const before = lines.slice(at, edit.from);
    at = edit.to;
    return [...before, ...edit.lines];
  });
  return [...result, ...lines.slice(at, to)];
}

function alike(a: Edit, b: Edit): boolean {
  return a.from === b.from && a.to === b.to && a.lines.join('\n') === b.lines.join('\n');
}

/** Lines `from` up to `to` of the base are replaced by `lines`. */
interface Edit {
  from: number;
  to: number;
  lines: string[];
}

function interleave(base: string[], ours: Edit[], others: Edit[]): string[] | undefined {
  const all = [...ours, ...others.filter((edit) => !ours.some((own) => alike(own, edit)))];
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
