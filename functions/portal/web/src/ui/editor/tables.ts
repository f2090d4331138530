/** Keys in a table: Tab from cell to cell, Enter for another row. Pure but for the keymap. */
import { EditorSelection, type EditorState, type Line, type TransactionSpec } from '@codemirror/state';
import type { EditorView, KeyBinding } from '@codemirror/view';

const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^\s*\|(\s*:?-+:?\s*\|)+\s*$/;

interface Cell {
  from: number;
  to: number;
}

/** The cells of a row, without the spaces around what is in them. A `|` after a backslash is a letter. */
function cellsOf({ text, from }: Line): Cell[] {
  const bars = [...text.matchAll(/(?<!\\)\|/g)].map(({ index }) => index);
  return bars.slice(0, -1).map((bar, at) => {
    const inside = text.slice(bar + 1, bars[at + 1]);
    const start =
      bar + 1 + (inside.trim() ? inside.length - inside.trimStart().length : Math.min(1, inside.length));
    return { from: from + start, to: from + start + inside.trim().length };
  });
}

/** The row at the cursor; nothing outside of tables. */
function rowAt(state: EditorState): Line | undefined {
  const line = state.doc.lineAt(state.selection.main.head);
  if (!ROW.test(line.text)) return undefined;
  // A table has its rule below the first row.
  for (let at = line.number; at >= 1 && ROW.test(state.doc.line(at).text); at--)
    if (RULE.test(state.doc.line(at).text)) return line;
  const below = line.number < state.doc.lines ? state.doc.line(line.number + 1) : undefined;
  return below && RULE.test(below.text) ? line : undefined;
}

function select({ from, to }: Cell): TransactionSpec {
  return { selection: EditorSelection.range(from, to), scrollIntoView: true };
}

/** The next cell, or the one before; after the last one a row is added. Nothing outside of a table. */
export function toCell(state: EditorState, step: 1 | -1): TransactionSpec | undefined {
  const row = rowAt(state);
  if (!row) return undefined;
  const { head } = state.selection.main;
  const cells = cellsOf(row);
  const here = cells.findLastIndex(({ from }) => from <= head);
  const beside = cells[here + step];
  if (beside) return select(beside);
  for (let at = row.number + step; at >= 1 && at <= state.doc.lines; at += step) {
    const line = state.doc.line(at);
    if (!ROW.test(line.text)) break;
    if (RULE.test(line.text)) continue;
    const others = cellsOf(line);
    const cell = step > 0 ? others[0] : others.at(-1);
    if (cell) return select(cell);
  }
  return step > 0 ? added(state, row) : undefined;
}

/** A row below with as many cells; an empty one ends the table instead. Nothing outside of a table. */
export function toRow(state: EditorState): TransactionSpec | undefined {
  const row = rowAt(state);
  if (!row || !state.selection.main.empty) return undefined;
  const empty = cellsOf(row).every(({ from, to }) => from === to);
  if (empty) {
    const changes = { from: row.from, to: row.to, insert: '\n' };
    return {
      changes,
      selection: EditorSelection.cursor(row.from + 1),
      scrollIntoView: true,
      userEvent: 'input',
    };
  }
  return added(state, row);
}

function added(state: EditorState, row: Line): TransactionSpec {
  let after = row;
  // Below the head comes the rule, which stays there.
  if (after.number < state.doc.lines && RULE.test(state.doc.line(after.number + 1).text))
    after = state.doc.line(after.number + 1);
  const insert = `\n|${'  |'.repeat(cellsOf(row).length)}`;
  return {
    changes: { from: after.to, insert },
    selection: EditorSelection.cursor(after.to + 3),
    scrollIntoView: true,
    userEvent: 'input',
  };
}

function command(spec: (state: EditorState) => TransactionSpec | undefined) {
  return (view: EditorView) => {
    const change = spec(view.state);
    if (change) view.dispatch(change);
    return change !== undefined;
  };
}

/** Outside of tables the keys are everybody's: Tab leaves the editor. */
export const TABLE_KEYS: readonly KeyBinding[] = [
  { key: 'Tab', run: command((state) => toCell(state, 1)) },
  { key: 'Shift-Tab', run: command((state) => toCell(state, -1)) },
  { key: 'Enter', run: command(toRow) },
];
