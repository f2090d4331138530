import { describe, expect, it } from 'vitest';
import type { Run } from '@/api/types';
import { byDay } from './days';

const NOW = Date.parse('2026-11-22T12:00:00');
const run = (id: string, fields: Partial<Run>) => ({ id, queuedAt: '2026-11-01T08:00:00', ...fields }) as Run;

describe('activity', () => {
  it('stands by day, newest first, by what happened last', () => {
    const runs = [
      run('old', {}),
      run('now', { startedAt: '2026-11-22T11:00:00' }),
      run('yesterday', { finishedAt: '2026-11-21T23:00:00', startedAt: '2026-11-21T22:00:00' }),
      run('early', { finishedAt: '2026-11-22T01:00:00' }),
    ];
    const days = byDay(runs, NOW).map((day) => [day.label, day.runs.map(({ id }) => id)]);
    expect(days).toEqual([
      ['Today', ['now', 'early']],
      ['Yesterday', ['yesterday']],
      ['Sunday, November 1', ['old']],
    ]);
  });
});
