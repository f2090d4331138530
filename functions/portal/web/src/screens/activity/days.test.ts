import { describe, expect, it } from 'vitest';
import type { ActiveItem, Run } from '@/api/types';
import { byDay, ofItems, ofRuns, together } from './days';

const NOW = Date.parse('2026-11-22T12:00:00');
const run = (id: string, fields: Partial<Run>) => ({ id, queuedAt: '2026-11-01T08:00:00', ...fields }) as Run;
const item = (key: string, history: object[], comments: object[] = []) =>
  ({ key, history, comments }) as ActiveItem;

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
    const items = ofItems([
      item('A', [{ id: 'made', action: 'created', at: '2026-11-22T11:00:00' }]),
      item('B', [
        { id: 'end', action: 'transitioned', at: '2026-11-22T09:00:00' },
        { id: 'made', action: 'created', at: '2026-11-20T08:00:00' },
      ]),
    ]);
    const lists = [
      { all: runs, since: undefined },
      { all: items, since: '2026-11-22T08:00:00' },
    ];
    const ids = byDay(together(lists), NOW).flatMap((day) => day.happenings.map(({ id }) => id));
    expect(ids).toEqual(['A made', 'r', 'B end']);
  });

  it('names who moved and changed an item, what one changed in an hour as one, and what was said of it', () => {
    const history = [
      { id: 'm', action: 'transitioned', at: '2026-11-22T09:00:00' },
      { id: 'c', action: 'changed', at: '2026-11-22T08:20:00', actor: { id: 'ada' }, field: 'labels' },
      { id: 'd', action: 'changed', at: '2026-11-22T08:10:00', actor: { id: 'ada' }, field: 'due' },
      { id: 'e', action: 'changed', at: '2026-11-22T08:00:00', actor: { id: 'bob' }, field: 'due' },
      { id: 'q', action: 'runQueued', at: '2026-11-22T07:00:00', actor: { id: 'bob' } },
    ];
    const said = [{ id: 'said', createdAt: '2026-11-22T10:00:00' }];
    expect(ofItems([item('A', history, said)])).toMatchObject([
      { id: 'A m' },
      { id: 'A c', fields: ['labels', 'due'] },
      { id: 'A e', fields: ['due'] },
      { id: 'said', at: '2026-11-22T10:00:00' },
    ]);
  });
});
