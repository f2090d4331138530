/** Rows of a difference, with the numbers of the lines on both sides. Pure. */
import type { components } from '@/api/schema';

export type Hunk = Pick<components['schemas']['DiffHunk'], 'oldStart' | 'newStart' | 'lines'>;

export interface DiffRow {
  kind: 'context' | 'added' | 'removed';
  text: string;
  old: number | undefined;
  new: number | undefined;
}

export function rowsOf(hunk: Hunk): DiffRow[] {
  let old = hunk.oldStart;
  let next = hunk.newStart;
  return hunk.lines.map((line) => {
    if (line.kind === 'added') return { kind: 'added', text: line.text, old: undefined, new: next++ };
    if (line.kind === 'removed') return { kind: 'removed', text: line.text, old: old++, new: undefined };
    return { kind: 'context', text: line.text, old: old++, new: next++ };
  });
}

/** The same side by side: a run of removed lines stands beside the added ones that follow it. */
export function sidesOf(hunk: Hunk): [DiffRow | undefined, DiffRow | undefined][] {
  const sides: [DiffRow | undefined, DiffRow | undefined][] = [];
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) sides.push([removed[at], added[at]]);
    removed = [];
    added = [];
  };
  for (const row of rowsOf(hunk)) {
    if (row.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(row);
    } else if (row.kind === 'added') {
      added.push(row);
    } else {
      flush();
      sides.push([row, row]);
    }
  }
  flush();
  return sides;
}
