import { expect, it } from 'vitest';
import { arrow, dayNumber, dayText, monthsOf, movedTo, spanOf, stepOf } from './timeline';

it('counts days without minding zones and clock changes', () => {
  expect(dayText(dayNumber('2026-03-29'))).toBe('2026-03-29');
  expect(dayNumber('2026-03-30') - dayNumber('2026-03-29')).toBe(1);
  expect(dayText(dayNumber('2026-10-25T09:00:00Z') + 1)).toBe('2026-10-26');
});

it('shows every bar and today, whichever is where', () => {
  const today = dayNumber('2026-06-01');
  const bars = [{ from: today - 100, to: today - 50 }];
  const span = spanOf(bars, today);
  expect(span.from).toBeLessThan(today - 100);
  expect(span.to).toBeGreaterThan(today);
  expect(spanOf([], today).from).toBeLessThan(today);
});

it('begins months and years', () => {
  const months = monthsOf({ from: dayNumber('2025-11-15'), to: dayNumber('2026-02-10') });
  expect(months.map(({ day }) => dayText(day))).toEqual(['2025-12-01', '2026-01-01', '2026-02-01']);
  expect(months.map(({ year }) => year)).toEqual([false, true, false]);
});

it('moves by days and weeks, and not before the beginning', () => {
  expect(stepOf('ArrowRight', false)).toBe(1);
  expect(stepOf('ArrowLeft', true)).toBe(-7);
  expect(stepOf('Enter', false)).toBeUndefined();
  expect(movedTo(100, -7, 98)).toBe(98);
  expect(movedTo(100, 7, 98)).toBe(107);
});

it('draws what waits beyond the end of what it waits for, and else goes back between the rows', () => {
  expect(arrow({ x: 100, y: 20 }, { x: 205, y: 60 })).toBe('M100 20C150 20 150 60 200 60');
  const back = arrow({ x: 100, y: 20 }, { x: 55, y: 100 });
  expect(back).toContain('V34');
  expect(back).toContain('H50');
});
