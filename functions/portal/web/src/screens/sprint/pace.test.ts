import { describe, expect, it } from 'vitest';
import type { components } from '@/api/schema';
import { pace } from './pace';

type Burndown = components['schemas']['Burndown'];

function burndown(days: readonly string[], end?: string): Burndown {
  const work = { items: 3, unfinished: 3, estimate: 0, remaining: 0 };
  return {
    sprint: { end } as Burndown['sprint'],
    points: days.map((day) => ({ day, at: `${day}T12:00:00Z`, work, added: 0, removed: 0 })),
  };
}

describe('the pace of a burndown', () => {
  it('reaches to the last day to come', () => {
    const { days, ideal } = pace(burndown(['2026-11-28', '2026-11-28', '2026-11-29'], '2026-12-02'));
    expect(days).toEqual(['2026-11-28', '2026-11-29', '2026-11-30', '2026-12-01', '2026-12-02']);
    expect(ideal.map((part) => Math.round(part * 10))).toEqual([10, 8, 6, 4, 2, 0]);
  });

  it('has the first day before any day has ended', () => {
    expect(pace(burndown(['2026-11-28'], '2026-11-29')).days).toEqual(['2026-11-28', '2026-11-29']);
  });

  it('ends where the sprint ended, and where no end was set', () => {
    const over = ['2026-11-28', '2026-11-28', '2026-11-29', '2026-11-30'];
    expect(pace(burndown(over, '2026-11-29')).ideal.at(-1)).toBe(0);
    expect(pace(burndown(over)).days).toEqual(over.slice(1));
  });

  it('is empty without a point', () => {
    expect(pace(burndown([]))).toEqual({ days: [], ideal: [1] });
  });
});
