import { describe, expect, it } from 'vitest';
import { chart, HEIGHT, niceCeiling, path, WIDTH } from './chart';

const days = [
  { at: '2026-11-16T09:00:00Z', remaining: 12 },
  { at: '2026-11-17T17:00:00Z', remaining: 9 },
  { at: '2026-11-17T18:00:00Z', remaining: 14 },
];

describe('burndown', () => {
  it('stays inside its frame, and reaches to the last day to come', () => {
    const drawn = chart(days, '2026-11-27');
    for (const { x, y } of [...drawn.remaining, ...drawn.ideal]) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(WIDTH);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(HEIGHT);
    }
    expect(drawn.remaining.at(-1)?.x).toBeLessThan(WIDTH / 2);
    expect(drawn.days[0]?.label).toBe('Nov 16');
    expect(drawn.days.length).toBeLessThanOrEqual(8);
  });

  it('draws one day, none, and nothing remaining', () => {
    expect(chart([], undefined).remaining).toEqual([]);
    expect(path(chart([{ at: '2026-11-16T09:00:00Z', remaining: 0 }], undefined).remaining)).toMatch(
      /^M[\d.]+ [\d.]+$/,
    );
  });

  it('rounds its scale up', () => {
    expect([0.3, 1, 3, 12, 99, 410].map(niceCeiling)).toEqual([0.4, 1, 4, 20, 100, 500]);
  });
});
