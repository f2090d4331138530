/** Puts two changes of a text together, line by line. Loaded when somebody else was faster. */
import { longestCommon } from '@/lib/lines';
import { same } from './contested';

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
