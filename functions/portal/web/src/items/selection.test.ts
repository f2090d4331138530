import { expect, it } from 'vitest';
import { extended } from './selection';

const order = ['a', 'b', 'c', 'd', 'e'];
const selected = (from: string | undefined, ...to: string[]) => {
  let selecting = { selection: new Set<string>(['e']) as ReadonlySet<string>, from } as Parameters<
    typeof extended
  >[0];
  for (const key of to) selecting = extended(selecting, order, key);
  return [...selecting.selection].sort().join('');
};

it('selects everything from where it began up to an item, and what was selected otherwise stays', () => {
  expect(selected('a', 'c')).toBe('abce');
  expect(selected('d', 'b')).toBe('bcde');
  expect(selected('c', 'c')).toBe('ce');
});

it('takes out what it covered before beyond that', () => {
  expect(selected('b', 'd', 'c')).toBe('bce');
  expect(selected('c', 'd', 'a')).toBe('abce');
});

it('begins at the item itself where nothing was chosen, or what was is not shown any more', () => {
  expect(selected(undefined, 'b')).toBe('be');
  expect(selected('gone', 'b', 'd')).toBe('bcde');
});
