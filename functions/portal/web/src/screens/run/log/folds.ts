/**
 * Tool calls in a log: the line that names the tool, and the lines of what it answered, which are indented below it. Pure;
 * it knows how the runner writes them down (`runner/src/harness/reading.rs`).
 */
import { plainLine } from './ansi';
import type { Line } from './lines';

const CALL = '→ ';
const ANSWER = '  ';
const FAILED = '  ✗ ';

/** What is known of a tool call without looking at its answer. */
export interface Fold {
  /** How many lines it answered. */
  lines: number;
  failed: boolean;
}

const text = (line: Line | undefined) => (line?.[2] === 'stdout' ? plainLine(line[3]) : '');

export function isCall(line: Line): boolean {
  return text(line).startsWith(CALL);
}

/** Whether a line says that something went wrong: stderr, or what a tool that failed answered. */
export function isError(line: Line): boolean {
  return line[2] === 'stderr' || text(line).startsWith(FAILED);
}

/** The tool calls that answered something, by the number of their line. */
export function foldsOf(lines: readonly Line[]): ReadonlyMap<number, Fold> {
  const folds = new Map<number, Fold>();
  let call: Line | undefined;
  for (const line of lines) {
    if (line[2] !== 'stdout') {
      // An event or stderr between them is no part of the answer, and does not end it.
      if (line[2] === 'event') call = undefined;
    } else if (isCall(line)) {
      call = line;
    } else if (!call || !text(line).startsWith(ANSWER)) {
      call = undefined;
    } else {
      const { lines: before, failed } = folds.get(call[0]) ?? { lines: 0, failed: false };
      folds.set(call[0], { lines: before + 1, failed: failed || text(line).startsWith(FAILED) });
    }
  }
  return folds;
}

/** The lines that are shown: of calls that are not open, only the first. */
export function unfolded(
  lines: readonly Line[],
  folds: ReadonlyMap<number, Fold>,
  open: ReadonlySet<number>,
): readonly Line[] {
  let left = 0;
  let hides = false;
  return lines.filter((line) => {
    const fold = folds.get(line[0]);
    if (fold) {
      left = fold.lines;
      hides = !open.has(line[0]);
      return true;
    }
    if (left === 0 || line[2] !== 'stdout') return true;
    left--;
    return !hides;
  });
}

/** The call that a line answers, or is. */
export function callAt(
  lines: readonly Line[],
  folds: ReadonlyMap<number, Fold>,
  seq: number,
): number | undefined {
  let call: number | undefined;
  let left = 0;
  for (const line of lines) {
    const fold = folds.get(line[0]);
    if (fold) {
      call = line[0];
      left = fold.lines;
    } else if (line[2] === 'stdout' && left > 0) left--;
    else if (line[2] === 'stdout') call = undefined;
    if (line[0] === seq) return call;
  }
  return undefined;
}

/** The files of a run's changes that a line of a call names. */
export function filesIn(line: string, paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const at = line.indexOf(path);
    if (at < 0) return false;
    const [before, after] = [line[at - 1] ?? ' ', line[at + path.length] ?? ' '];
    return !/[\w.-]/.test(before) && !/[\w/-]/.test(after);
  });
}
