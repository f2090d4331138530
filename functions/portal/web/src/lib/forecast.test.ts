import { expect, it } from 'vitest';
import { forecast, HORIZON } from './forecast';

it('is certain where every week was alike', () => {
  expect(forecast(20, [5, 5, 5])).toEqual({ likely: 4, safe: 4 });
  expect(forecast(21, [5, 5, 5])).toEqual({ likely: 5, safe: 5 });
});

it('has a range where weeks differ, and is later for more work', () => {
  const one = forecast(40, [0, 2, 10, 1, 8, 3]);
  expect(one?.safe).toBeGreaterThan(one?.likely ?? 0);
  const two = forecast(80, [0, 2, 10, 1, 8, 3]);
  expect(two?.likely).toBeGreaterThan(one?.likely ?? 0);
  expect(forecast(40, [0, 2, 10, 1, 8, 3])).toEqual(one);
});

it('tells nothing where nothing is known, or where it would be a guess', () => {
  expect(forecast(5, [])).toBeUndefined();
  expect(forecast(5, [0, 0, 0])).toBeUndefined();
  expect(forecast(HORIZON * 2, [1])).toBeUndefined();
  expect(forecast(0, [])).toEqual({ likely: 0, safe: 0 });
});
