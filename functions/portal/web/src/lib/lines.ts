/** Lines of texts: what two have in common, and how one becomes the other. Pure. */

/** Most pairs of lines that are compared. */
const MOST = 4_000_000;
/** Lines that are shown around a change. */
const AROUND = 3;

interface DiffLine {
  kind: 'context' | 'added' | 'removed';
  text: string;
}

/** Lines that changed with what stands around them, and the numbers of the first on both sides, from 1. */
export interface DiffHunk {
  oldStart: number;
  newStart: number;
  lines: DiffLine[];
}

/** How one text becomes another, line by line. */
export function hunksOf(before: string, after: string): DiffHunk[] {
  const rows = rowsOf(before === '' ? [] : before.split('\n'), after === '' ? [] : after.split('\n'));
  const hunks: DiffHunk[] = [];
  let hunk: DiffHunk | undefined;
  let shown = -1;
  for (const [at, row] of rows.entries()) {
    if (row.line.kind === 'context') continue;
    const from = Math.max(shown + 1, at - AROUND);
    if (!hunk || from > shown + 1) {
      const first = rows[from] ?? row;
      hunk = { oldStart: first.old, newStart: first.new, lines: [] };
      hunks.push(hunk);
    }
    let to = at;
    while (to + 1 < rows.length && to < at + AROUND && rows[to + 1]?.line.kind === 'context') to++;
    hunk.lines.push(...rows.slice(from, to + 1).map(({ line }) => line));
    shown = to;
  }
  return hunks;
}

interface Row {
  line: DiffLine;
  old: number;
  new: number;
}

function rowsOf(a: string[], b: string[]): Row[] {
  const rows: Row[] = [];
  let i = 0;
  let j = 0;
  const push = (kind: DiffLine['kind'], text: string | undefined) =>
    rows.push({ line: { kind, text: text ?? '' }, old: i + 1, new: j + 1 });
  for (const [x, y] of [...longestCommon(a, b), [a.length, b.length] as const]) {
    for (; i < x; i++) push('removed', a[i]);
    for (; j < y; j++) push('added', b[j]);
    if (i < a.length && j < b.length) push('context', a[i]);
    i++;
    j++;
  }
  return rows;
}

/** Pairs of places of a longest common subsequence. */
export function longestCommon(a: string[], b: string[]): (readonly [number, number])[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (
    tail < a.length - head &&
    tail < b.length - head &&
    a[a.length - 1 - tail] === b[b.length - 1 - tail]
  )
    tail++;
  const x = a.slice(head, a.length - tail);
  const y = b.slice(head, b.length - tail);
  // Texts so different that they are compared for long are shown as replaced.
  if (x.length * y.length > MOST) return ends(a.length, b.length, head, tail);
  const width = y.length + 1;
  const table = new Uint32Array((x.length + 1) * width);
  for (let i = x.length - 1; i >= 0; i--) {
    for (let j = y.length - 1; j >= 0; j--) {
      const down = table[(i + 1) * width + j] ?? 0;
      const right = table[i * width + j + 1] ?? 0;
      table[i * width + j] =
        x[i] === y[j] ? (table[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(down, right);
    }
  }
  const pairs: (readonly [number, number])[] = Array.from({ length: head }, (_, at) => [at, at] as const);
  for (let i = 0, j = 0; i < x.length && j < y.length; ) {
    if (x[i] === y[j]) pairs.push([head + i++, head + j++]);
    else if ((table[(i + 1) * width + j] ?? 0) >= (table[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  for (let at = 0; at < tail; at++) pairs.push([a.length - tail + at, b.length - tail + at]);
  return pairs;
}

function ends(a: number, b: number, head: number, tail: number): (readonly [number, number])[] {
  const first = Array.from({ length: head }, (_, at) => [at, at] as const);
  return [...first, ...Array.from({ length: tail }, (_, at) => [a - tail + at, b - tail + at] as const)];
}
