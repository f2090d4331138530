import { expect, it } from 'vitest';
import { told } from './totals';

it('promises no number that the service did not count to the end', () => {
  expect(told({ count: 55, atLeast: false })).toBe('55');
  expect(told({ count: 480, atLeast: true })).toBe('480+');
  expect(told({ count: 0, atLeast: false })).toBeUndefined();
  expect(told(undefined)).toBeUndefined();
});
