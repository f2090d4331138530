import { describe, expect, it } from 'vitest';
import { rowsOf, sidesOf } from './diff-rows';

const hunk = {
  oldStart: 10,
  oldLines: 4,
  newStart: 20,
  newLines: 4,
  lines: [
    { kind: 'context' as const, text: 'a' },
    { kind: 'removed' as const, text: 'b' },
    { kind: 'removed' as const, text: 'c' },
    { kind: 'added' as const, text: 'B' },
    { kind: 'context' as const, text: 'd' },
    { kind: 'added' as const, text: 'e' },
  ],
};

describe('difference', () => {
  it('numbers both sides', () => {
    expect(rowsOf(hunk).map((row) => [row.old, row.new])).toEqual([
      [10, 20],
      [11, undefined],
      [12, undefined],
      [undefined, 21],
      [13, 22],
      [undefined, 23],
    ]);
  });

  it('sets what was removed beside what came in its place', () => {
    expect(sidesOf(hunk).map(([left, right]) => [left?.text, right?.text])).toEqual([
      ['a', 'a'],
      ['b', 'B'],
      ['c', undefined],
      ['d', 'd'],
      [undefined, 'e'],
    ]);
  });
});
