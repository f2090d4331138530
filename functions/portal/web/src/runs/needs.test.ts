import { expect, it } from 'vitest';
import type { Item, Run } from '@/api/types';
import { toMend, toReview } from './needs';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const run = (id: string, item: string, status: string, more: object = {}) =>
  ({
    id,
    item,
    status,
    kind: 'implement',
    agent: { id: 'a1', name: 'Builder' },
    queuedAt: '2026-11-22T10:00:00Z',
    finishedAt: '2026-11-22T11:00:00Z',
    ...more,
  }) as Run;
const ids = (runs: Run[]) => runs.map(({ id }) => id);

it('counts an item’s last run alone, and forgets it after a week', () => {
  const runs = [
    run('r1', 'D-1', 'failed'),
    run('r2', 'D-1', 'failed'),
    run('r3', 'D-2', 'running'),
    run('r4', 'D-2', 'failed'),
    run('r5', 'D-3', 'timedOut'),
    run('r6', 'D-4', 'failed', { finishedAt: '2026-11-01T00:00:00Z' }),
    run('r7', 'D-5', 'cancelled'),
  ];
  expect(ids(toMend(runs, NOW))).toEqual(['r1', 'r5']);
});

it('asks for a review as long as the item is in the works', () => {
  const runs = [
    run('r1', 'D-1', 'succeeded'),
    run('r2', 'D-2', 'succeeded'),
    run('r3', 'D-3', 'succeeded', { kind: 'refine' }),
    run('r4', 'D-4', 'failed'),
    run('r5', 'D-5', 'succeeded', { kind: 'refine' }),
    run('r6', 'D-5', 'succeeded'),
  ];
  const open = ['D-1', 'D-3', 'D-4', 'D-5'].map((key) => ({ key }) as Item);
  expect(ids(toReview(runs, open, NOW))).toEqual(['r1', 'r6']);
});
