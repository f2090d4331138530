import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OrgChanges } from '@/api/types';
import { watchChanges } from './changed';
import { heard } from './organization';
import { queries } from './queries';

let stop: () => void;
const read = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(queries, 'invalidateQueries').mockImplementation(read);
  stop = watchChanges();
});
afterEach(() => {
  stop();
  read.mockReset();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const changes = (changed: OrgChanges['changed']): OrgChanges => ({
  cursor: '2',
  reload: false,
  items: [],
  removed: ['DEMO-9'],
  changed,
});

it('reads again what changed, once for a burst', () => {
  const comment = { kind: 'comment', project: 'DEMO', item: 'DEMO-1', id: 'c1' } as const;
  heard.emit('changes', { slug: 'demo', changes: changes([comment]) });
  heard.emit('changes', { slug: 'demo', changes: changes([comment, { kind: 'labels', project: 'DEMO' }]) });
  vi.advanceTimersByTime(1_000);
  expect(read.mock.calls.map(([{ queryKey }]) => queryKey.join(' '))).toEqual([
    'work demo',
    'filter demo',
    'deleted-items demo',
    'milestones demo',
    'history demo DEMO-9',
    'item demo DEMO-9',
    'comments demo DEMO-1',
    'work demo activity',
    'history demo DEMO-1',
    'mentions demo DEMO-1',
    'labels demo DEMO',
  ]);
});

it('reads everything of an organization again when something may have been missed', () => {
  heard.emit('gap', { slug: 'demo', first: true });
  expect(read).not.toHaveBeenCalled();
  heard.emit('gap', { slug: 'demo', first: false });
  const [{ predicate }] = read.mock.calls[0] as [{ predicate: (query: unknown) => boolean }];
  expect(predicate({ queryKey: ['labels', 'demo', 'DEMO'] })).toBe(true);
  expect(predicate({ queryKey: ['labels', 'other', 'X'] })).toBe(false);
});
