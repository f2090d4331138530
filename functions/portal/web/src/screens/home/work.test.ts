import { describe, expect, it, vi } from 'vitest';
import type { Item } from '@/api/types';
import { canQuery } from '@/data/projects';
import { queries } from '@/store/queries';
import { byDay, bySprint, workQuery } from './work';

const can = { edit: false, comment: true, start: false, transition: false, delete: false, configure: false };

it('hands on what one may do in the projects of its items', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ items: [], page: 1, pageSize: 50, totalCount: 0, can: { DEMO: can } }),
  );
  await queries.fetchQuery(workQuery('demo', 'claimed:@me'));
  expect(queries.getQueryData(canQuery('demo', 'DEMO').queryKey)).toEqual(can);
  expect(queries.getQueryData(canQuery('demo', 'WEB').queryKey)).toBeUndefined();
});

const item = (key: string, more: Partial<Item> = {}) => ({ key, priority: 'medium', ...more }) as Item;
const keys = (items: readonly Item[]) => items.map(({ key }) => key).join(' ');

describe('work', () => {
  it('is due late, today or this week, the nearest first', () => {
    const due = [
      item('A', { due: '2026-11-30' }),
      item('B', { due: '2026-11-28' }),
      item('C', { due: '2026-11-20' }),
    ];
    const groups = byDay([...due, item('D', { due: '2026-11-29' })], '2026-11-28');
    expect(groups.map(({ when, items }) => `${when}: ${keys(items)}`)).toEqual([
      'late: C',
      'today: B',
      'week: D A',
    ]);
  });

  it('stands by sprint and urgency, after what one works on', () => {
    const claim = { holder: 'me' } as Item['claim'];
    const sprints = new Map([
      ['s1', { id: 's1', name: 'Later', state: 'planned' }],
      ['s2', { id: 's2', name: 'Now', state: 'active' }],
    ]);
    const items = [
      item('A', { sprint: 's1' }),
      item('B', { sprint: 's2', priority: 'low' }),
      item('C', { sprint: 's2', priority: 'highest' }),
      item('D'),
      item('E', { claim, sprint: 's1' }),
    ];
    const groups = bySprint(items, 'me', sprints);
    expect(groups.map(({ id, items }) => `${id}: ${keys(items)}`)).toEqual([
      'claimed: E',
      's2: C B',
      's1: A',
      'none: D',
    ]);
  });
});
