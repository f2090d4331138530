import { expect, it } from 'vitest';
import { choicesOf, textOf } from './columns';

it('reads columns from the address in drawing order, and skips what it does not know', () => {
  expect(choicesOf('updated,state,colour')).toEqual(['state', 'updated']);
  expect(choicesOf(undefined)).toBeUndefined();
});

it('tells no column from no choice', () => {
  expect(textOf([])).toBe('none');
  expect(choicesOf('none')).toEqual([]);
  expect(textOf(['updated', 'state'])).toBe('state,updated');
});
