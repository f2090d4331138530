import { expect, it } from 'vitest';
import type { SearchResult } from '@/api/types';
import { MOST, told, totalsIn } from './totals';

const of = (type: string) => ({ type, title: '' }) as SearchResult;

it('counts each kind of an answer that has all there is', () => {
  const results = [of('item'), of('item'), of('comment'), of('person'), of('something to come')];
  expect(totalsIn(results)).toEqual({ items: '2', comments: '1', people: '1' });
});

it('promises no number where there may be more than the service answers', () => {
  expect(told(MOST - 1)).toBe('49');
  expect(told(MOST)).toBe('50+');
  expect(told(undefined)).toBeUndefined();
});
