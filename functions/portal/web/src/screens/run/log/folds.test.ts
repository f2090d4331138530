import { expect, it } from 'vitest';
import { callAt, filesIn, foldsOf, isError, unfolded } from './folds';
import type { Line, Stream } from './lines';

const log = (...texts: string[]): Line[] =>
  texts.map((text, at) => {
    const stream: Stream = text.startsWith('!') ? 'stderr' : text.startsWith('*') ? 'event' : 'stdout';
    return [at + 1, '2026-01-01T00:00:00Z', stream, text.replace(/^[!*]/, '')];
  });

const LINES = log(
  '*Session 1',
  'I look around.',
  '→ bash: ls',
  '  a.ts',
  '!warning',
  '  b.ts',
  '→ read: a.ts',
  'Now I write.',
  '→ edit: b.ts',
  '  ✗ not found',
  '*Ended',
);

it('folds what a tool answered below the line that names it', () => {
  const folds = foldsOf(LINES);
  expect([...folds]).toEqual([
    [3, { lines: 2, failed: false }],
    [9, { lines: 1, failed: true }],
  ]);
  const shown = unfolded(LINES, folds, new Set()).map(([seq]) => seq);
  expect(shown).toEqual([1, 2, 3, 5, 7, 8, 9, 11]);
  expect(unfolded(LINES, folds, new Set([3])).map(([seq]) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
});

it('leaves indented lines that answer no call', () => {
  const lines = log('Some code:', '  let a = 1;', '→ read: x', '*event', '  indented after it');
  expect(foldsOf(lines).size).toBe(0);
});

it('knows which call a line belongs to, and which lines tell of failures', () => {
  const folds = foldsOf(LINES);
  expect(callAt(LINES, folds, 6)).toBe(3);
  expect(callAt(LINES, folds, 9)).toBe(9);
  expect(callAt(LINES, folds, 8)).toBeUndefined();
  expect(LINES.filter(isError).map(([seq]) => seq)).toEqual([5, 10]);
});

it('finds changed files by their whole name', () => {
  const paths = ['src/a.ts', 'a.ts', 'lib/b.ts'];
  expect(filesIn('→ Edit: {"file_path":"/home/ada/repo/src/a.ts"}', paths)).toEqual(['src/a.ts', 'a.ts']);
  expect(filesIn('→ bash: cat data.ts lib/b.tsx', paths)).toEqual([]);
});
