import { EditorSelection, EditorState, type TransactionSpec } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { toCell, toRow } from './tables';

/** The text after a key; what is selected stands between `‹` and `›`. Nothing where the key is not the table's. */
function pressed(key: (state: EditorState) => TransactionSpec | undefined, text: string): string | undefined {
  const anchor = text.indexOf('‹');
  const head = text.indexOf('›') - 1;
  const doc = text.replace(/[‹›]/g, '');
  const state = EditorState.create({ doc, selection: EditorSelection.range(anchor, head) });
  const change = key(state);
  if (!change) return undefined;
  const next = state.update(change).state;
  const { from, to } = next.selection.main;
  return `${next.sliceDoc(0, from)}‹${next.sliceDoc(from, to)}›${next.sliceDoc(to)}`;
}

const tab = (state: EditorState) => toCell(state, 1);
const back = (state: EditorState) => toCell(state, -1);

describe('in a table', () => {
  it('Tab leads from cell to cell, over the rule, and adds a row after the last', () => {
    expect(pressed(tab, '| ‹›a | b |\n| --- | --- |\n| c | d |')).toBe(
      '| a | ‹b› |\n| --- | --- |\n| c | d |',
    );
    expect(pressed(tab, '| a | b‹› |\n| --- | --- |\n| c | d |')).toBe(
      '| a | b |\n| --- | --- |\n| ‹c› | d |',
    );
    expect(pressed(tab, '| a | b |\n| --- | --- |\n| c | ‹d› |\nnext')).toBe(
      '| a | b |\n| --- | --- |\n| c | d |\n| ‹› |  |\nnext',
    );
    expect(pressed(back, '| a | b |\n| --- | --- |\n| c‹› | d |')).toBe(
      '| a | ‹b› |\n| --- | --- |\n| c | d |',
    );
    expect(pressed(back, '| a‹› | b |\n| --- | --- |')).toBeUndefined();
    expect(pressed(tab, '| a \\| x‹› | b |\n| --- | --- |')).toBe('| a \\| x | ‹b› |\n| --- | --- |');
  });

  it('Enter adds a row, and leaves the table from an empty one', () => {
    expect(pressed(toRow, '| a‹› | b |\n| --- | --- |')).toBe('| a | b |\n| --- | --- |\n| ‹› |  |');
    expect(pressed(toRow, '| a | b |\n| --- | --- |\n| ‹› |  |')).toBe('| a | b |\n| --- | --- |\n\n‹›');
  });
});

it('outside of a table the keys are not taken', () => {
  for (const text of ['a‹›', '| only | bars‹› |', '- item ‹›']) {
    expect(pressed(tab, text), text).toBeUndefined();
    expect(pressed(toRow, text), text).toBeUndefined();
  }
});
