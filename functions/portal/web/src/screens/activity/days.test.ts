import { describe, expect, it } from 'vitest';
import type { Comment, HistoryEntry, Item, Run } from '@/api/types';
import { byDay, ofComments, ofHistory, ofItems, ofRuns, together, untold } from './days';

const NOW = Date.parse('2026-11-22T12:00:00');
const run = (id: string, fields: Partial<Run>) => ({ id, queuedAt: '2026-11-01T08:00:00', ...fields }) as Run;
const item = (key: string, createdAt: string, resolvedAt?: string, startedAt?: string) =>
  ({ key, createdAt, resolvedAt, startedAt }) as Item;

describe('activity', () => {
  it('stands by day, newest first, by what happened last', () => {
    const runs = [
      run('old', {}),
      run('now', { startedAt: '2026-11-22T11:00:00' }),
      run('yesterday', { finishedAt: '2026-11-21T23:00:00', startedAt: '2026-11-21T22:00:00' }),
      run('early', { finishedAt: '2026-11-22T01:00:00' }),
    ];
    const days = byDay(ofRuns(runs), NOW).map((day) => [day.label, day.happenings.map(({ id }) => id)]);
    expect(days).toEqual([
      ['Today', ['now', 'early']],
      ['Yesterday', ['yesterday']],
      ['Sunday, November 1', ['old']],
    ]);
  });

  it('has what people did between what agents did, no further back than all of it is known', () => {
    const runs = ofRuns([run('r', { startedAt: '2026-11-22T10:00:00' }), run('older', {})]);
    const items = [item('A', '2026-11-22T11:00:00'), item('B', '2026-11-20T08:00:00', '2026-11-22T09:00:00')];
    const lists = [
      { all: runs, since: undefined },
      { all: ofItems(items, 'created'), since: '2026-11-20T08:00:00' },
      { all: ofItems(items, 'finished'), since: undefined },
    ];
    const ids = byDay(together(lists), NOW).flatMap((day) => day.happenings.map(({ id }) => id));
    expect(ids).toEqual(['A created', 'r', 'B finished', 'B created']);
  });

  it('tells once of an item that is made in progress, or goes from the backlog to its end', () => {
    const [morning, noon] = ['2026-11-22T08:00:00', '2026-11-22T12:00:00'];
    const items = [
      item('moved', morning, undefined, noon),
      item('made', morning, undefined, morning),
      item('ended', morning, noon, noon),
      item('waiting', morning),
    ];
    expect(ofItems(items, 'started').map(({ id }) => id)).toEqual(['moved started']);
  });

  it('names who moved and changed an item and what was said of it, and leaves out what moves tell better', () => {
    const moved = item('A', '2026-11-20T08:00:00', '2026-11-22T09:00:00', '2026-11-21T09:00:00');
    const history = [
      { id: 'm', action: 'transitioned', at: '2026-11-22T09:00:00' },
      { id: 'c', action: 'changed', at: '2026-11-22T08:20:00', actor: { id: 'ada' }, field: 'labels' },
      { id: 'd', action: 'changed', at: '2026-11-22T08:10:00', actor: { id: 'ada' }, field: 'due' },
      { id: 'e', action: 'changed', at: '2026-11-22T08:00:00', actor: { id: 'bob' }, field: 'due' },
    ] as HistoryEntry[];
    const comments = [
      { id: 'said', createdAt: '2026-11-22T10:00:00' },
      { id: 'taken back', createdAt: '2026-11-22T11:00:00', deleted: true },
    ] as Comment[];
    expect(ofHistory(moved, history)).toMatchObject([
      { id: 'm' },
      { id: 'c', fields: ['labels', 'due'] },
      { id: 'e', fields: ['due'] },
    ]);
    expect(ofComments(moved, comments).map(({ id }) => id)).toEqual(['said']);
    const all = [
      ...ofItems([moved], 'created'),
      ...ofItems([moved], 'started'),
      ...ofItems([moved], 'finished'),
    ];
    const left = (since?: string) => untold(all, new Set(['A']), since).map(({ id }) => id);
    expect(left()).toEqual(['A created']);
    // Moves are known back to the last morning only: that it was started before is told as before.
    expect(left('2026-11-22T08:00:00')).toEqual(['A created', 'A started']);
  });
});
