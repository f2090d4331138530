import { expect, it } from 'vitest';
import { bothOf, mergeText } from './merge';

const base = 'one\ntwo\nthree\nfour';

it('merges texts by line', () => {
  expect(mergeText(base, 'ONE\ntwo\nthree\nfour', 'one\ntwo\nthree\nFOUR')).toEqual({
    text: 'ONE\ntwo\nthree\nFOUR',
  });
  expect(mergeText(base, 'one\ntwo\nthree\nfour\nfive', 'zero\none\ntwo\nthree\nfour')).toEqual({
    text: 'zero\none\ntwo\nthree\nfour\nfive',
  });
  expect(mergeText(base, 'one\nTWO\nthree\nfour', 'one\n2\nthree\nfour')).toEqual({ conflict: true });
  expect(mergeText(base, base, 'other')).toEqual({ text: 'other' });
  expect(mergeText(base, 'mine', base)).toEqual({ text: 'mine' });
});

it('puts lines that both changed one after the other, and merges the others', () => {
  expect(bothOf(base, 'one\nTWO\nthree\nFOUR', 'ONE\n2\nthree\nfour')).toBe('ONE\n2\none\nTWO\nthree\nFOUR');
  expect(bothOf(base, 'one\nmine\nfour', 'one\n2\n3\nfour')).toBe('one\n2\n3\nmine\nfour');
  expect(bothOf(base, 'mine', 'theirs')).toBe('theirs\nmine');
});

it('keeps one of what is the same on both sides, and the change where the other side has none', () => {
  expect(bothOf(base, 'one\nTWO\nthree\nfour', 'one\nTWO\nthree\nfour')).toBe('one\nTWO\nthree\nfour');
  expect(bothOf(base, 'one\nfour', base)).toBe('one\nfour');
  expect(bothOf(base, `${base}\nmine`, `${base}\ntheirs`)).toBe(`${base}\ntheirs\nmine`);
});
