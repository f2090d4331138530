import { expect, it } from 'vitest';
import { dayOfWords } from './day-words';
import { dayName, dayNumber, today, wholeDay } from './days';

const now = new Date(2026, 2, 10, 12).getTime();

it('calls days what people call them', () => {
  expect(today(now)).toBe('2026-03-10');
  expect(dayName('2026-03-09', now)).toBe('yesterday');
  expect(dayName('2026-03-10', now)).toBe('today');
  expect(dayName('2026-03-11', now)).toBe('tomorrow');
  expect(dayName('2026-03-12', now)).toBe('Mar 12');
  expect(dayName('2027-01-01', now)).toBe('Jan 1, 2027');
  expect(wholeDay('2026-03-12')).toBe('Thursday, March 12, 2026');
});

it('reads days as filters name them', () => {
  const first = dayNumber('2026-03-10', now) as number;
  expect(dayNumber('today', now)).toBe(first);
  expect(dayNumber('yesterday', now)).toBe(first - 1);
  expect(dayNumber('+7d', now)).toBe(first + 7);
  expect(dayNumber('-7d', now)).toBe(first - 7);
  expect(dayNumber('+2w', now)).toBe(first + 14);
  expect(dayNumber('+1m', now)).toBe(first + 31);
  expect(dayNumber('-1m', now)).toBe(first - 28);
  expect(dayNumber('friday', now)).toBe(first + 3);
  expect(dayNumber('tue', now)).toBe(first);
  expect(dayNumber('+1m', Date.parse('2026-01-31T12:00:00Z'))).toBe(dayNumber('2026-02-28', now));
  for (const wrong of ['7d', '2026-02-30', '2026-3-1', 'soon', '+10000d', '']) {
    expect(dayNumber(wrong, now), wrong).toBeUndefined();
  }
});

it('reads days in words, from where the person is', () => {
  const days = ['today', 'Friday', '+2w', 'in 3 days', '12 mar', 'mar 9', 'December 1', '2031-12-02'];
  expect(days.map((words) => dayOfWords(words, now))).toEqual([
    '2026-03-10',
    '2026-03-13',
    '2026-03-24',
    '2026-03-13',
    '2026-03-12',
    '2027-03-09',
    '2026-12-01',
    '2031-12-02',
  ]);
  for (const wrong of ['', 'soon', '31 feb', '12 mar 4', '3026-01-01', '+2y', 'm 3'])
    expect(dayOfWords(wrong, now), wrong).toBeUndefined();
});
