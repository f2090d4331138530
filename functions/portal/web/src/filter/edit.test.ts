import { expect, it } from 'vitest';
import { chosen, toggled } from './edit';

it('adds and takes choices of a field, and leaves the other terms where they are', () => {
  expect(toggled('', 'state', 'active')).toBe('state:active');
  expect(toggled('state:active type:bug', 'state', '"In review"')).toBe('state:active,"In review" type:bug');
  expect(toggled('state:active,"In review" type:bug', 'state', 'ACTIVE')).toBe('state:"In review" type:bug');
  expect(toggled('state:active type:bug', 'state', 'active')).toBe('type:bug');
  expect(toggled('-label:late type:bug', 'label', 'late')).toBe('-label:late type:bug label:late');
  expect(chosen('milestone:"Ship, then rest",none', 'milestone')).toEqual(['"Ship, then rest"', 'none']);
});
