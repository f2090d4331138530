import { describe, expect, it } from 'vitest';
import { expressionOf, inZone, rhythmOf, spoken } from './rhythm';

describe('a cron expression', () => {
  it.each([
    ['30 6 * * *', 'Every day at 06:30'],
    ['0 6 * * MON-FRI', 'Monday to Friday at 06:00'],
    ['0 6 * * 1-5', 'Monday to Friday at 06:00'],
    ['5 14 * * mon', 'Every Monday at 14:05'],
    ['5 14 * * 7', 'Every Sunday at 14:05'],
    ['0 0 31 * *', 'Every month on day 31 at 00:00'],
    ['*/15 * * * *', 'By the expression */15 * * * *'],
    ['0 6 1 1 *', 'By the expression 0 6 1 1 *'],
    ['0 6 1 * MON', 'By the expression 0 6 1 * MON'],
    ['0 24 * * *', 'By the expression 0 24 * * *'],
    ['0 6 0 * *', 'By the expression 0 6 0 * *'],
    ['nonsense', 'By the expression nonsense'],
  ])('%s is said as it is meant', (cron, said) => {
    expect(spoken(cron)).toBe(said);
  });

  it.each(['30 6 * * *', '0 6 * * MON-FRI', '5 14 * * SUN', '0 0 31 * *', '*/15 2 * * 1,3'])(
    '%s stays what it is when it is chosen again',
    (cron) => {
      expect(expressionOf(rhythmOf(cron))).toBe(cron);
    },
  );
});

it('a moment is told by the clocks of a zone, and by UTC where nobody knows that', () => {
  const at = '2026-11-23T05:00:00Z';
  expect(inZone(at, 'Europe/Berlin')).toBe('Mon, Nov 23, 06:00');
  expect(inZone(at, 'Nowhere/At_All')).toBe('Mon, Nov 23, 05:00 UTC');
});
