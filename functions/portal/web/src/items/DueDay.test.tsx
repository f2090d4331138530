import { expect, it } from 'vitest';
import { isLate } from './DueDay';

it('calls late what was due before today and is not done', () => {
  const late = (due: string | undefined, stateGroup: string) =>
    isLate({ due, stateGroup } as never, '2026-03-10');
  expect(late('2026-03-09', 'active')).toBe(true);
  expect(late('2026-03-09', 'backlog')).toBe(true);
  expect(late('2026-03-10', 'active')).toBe(false);
  expect(late('2026-03-09', 'resolved')).toBe(false);
  expect(late('2026-03-09', 'closed')).toBe(false);
  expect(late(undefined, 'active')).toBe(false);
});
