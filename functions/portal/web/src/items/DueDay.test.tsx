import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DueDay, isLate } from './DueDay';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

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

it('is late from midnight on, though nothing of the item changes', () => {
  vi.useFakeTimers({ now: new Date(2026, 2, 10, 23, 59, 50) });
  render(<DueDay card={{ due: '2026-03-10', stateGroup: 'active' }} />);
  screen.getByText('today');
  act(() => vi.advanceTimersByTime(60_000));
  screen.getByText('Late: yesterday');
});
