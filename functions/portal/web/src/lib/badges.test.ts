import { expect, it } from 'vitest';
import { badgesOf } from './badges';

const badges = (...keys: string[]) => keys.map((key) => badgesOf(keys).get(key));

it('is the beginning of the key where that is of no other project', () => {
  expect(badges('DEMO', 'WEB', 'A')).toEqual(['DE', 'WE', 'A']);
});

it('tells projects apart that begin alike, however they are sorted', () => {
  expect(badges('DEMO', 'DESK', 'DES')).toEqual(['DE', 'DK', 'DS']);
  expect(badges('DES', 'DESK', 'DEMO')).toEqual(['DS', 'DK', 'DE']);
  expect(new Set(badges('DEMO', 'DESK', 'DES')).size).toBe(3);
  expect(new Set(badges('WEB', 'WEA', 'WE')).size).toBe(3);
});

it('repeats itself only where there are no letters left', () => {
  expect(badges('AB', 'ABB')).toEqual(['AB', 'AB']);
});
