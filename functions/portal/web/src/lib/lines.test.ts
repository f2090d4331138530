import { describe, expect, it } from 'vitest';
import { hunksOf, longestCommon } from './lines';

const shown = (before: string, after: string) =>
  hunksOf(before, after).map(({ oldStart, newStart, lines }) => [
    `${oldStart},${newStart}`,
    ...lines.map(({ kind, text }) => ({ context: ' ', added: '+', removed: '-' })[kind] + text),
  ]);

describe('hunks', () => {
  it('are none of the same text', () => expect(shown('a\nb', 'a\nb')).toEqual([]));

  it('tell what was removed and added', () =>
    expect(shown('a\nb\nc', 'a\nB\nc')).toEqual([['1,1', ' a', '-b', '+B', ' c']]));

  it('begin and end with nothing', () => {
    expect(shown('', 'a\nb')).toEqual([['1,1', '+a', '+b']]);
    expect(shown('a', '')).toEqual([['1,1', '-a']]);
  });

  it('are apart where much between them is the same', () => {
    const same = ['1', '2', '3', '4', '5', '6', '7', '8'].join('\n');
    expect(shown(`a\n${same}\nz`, `A\n${same}\nZ`)).toEqual([
      ['1,1', '-a', '+A', ' 1', ' 2', ' 3'],
      ['7,7', ' 6', ' 7', ' 8', '-z', '+Z'],
    ]);
  });

  it('show what is the same between two changes once', () =>
    expect(shown('a\n1\n2\nz', 'A\n1\n2\nZ')).toEqual([['1,1', '-a', '+A', ' 1', ' 2', '-z', '+Z']]));
});

it('texts that would be compared for long have their ends in common', () => {
  const many = (name: string) => Array.from({ length: 3_000 }, (_, at) => `${name}${at}`);
  const pairs = longestCommon(['x', ...many('a'), 'y'], ['x', ...many('b'), 'y']);
  expect(pairs).toEqual([
    [0, 0],
    [3_001, 3_001],
  ]);
});
