import { describe, expect, it } from 'vitest';
import type { Notification, Organization } from '@/api/types';
import { grouped, hrefOf } from './entries';

const entry = (id: string, more: Partial<Notification> = {}): Notification => ({
  id,
  version: 1,
  organizationId: 'o1',
  organization: 'demo',
  kind: 'commented',
  summary: 'Ada commented',
  itemKey: 'PRJ-1',
  project: 'PRJ',
  title: 'Greet people',
  at: '2026-03-02T12:00:00Z',
  read: false,
  unreadCount: 1,
  done: false,
  needsYou: false,
  news: [],
  ...more,
});

const demo = (canOperateFactory: boolean) => [{ slug: 'demo', canOperateFactory }] as Organization[];

describe('the order of the inbox', () => {
  it('has what waits for the person first, then the rest by day', () => {
    const now = Date.parse('2026-03-02T13:00:00Z');
    const all = [
      entry('a'),
      entry('b', { at: '2026-03-01T12:00:00Z' }),
      entry('c', { needsYou: true, at: '2026-02-01T12:00:00Z' }),
    ];
    const shown = grouped(all, now).map(({ day, entries }) => [day, entries.map(({ id }) => id)]);
    expect(shown).toEqual([
      [undefined, ['c']],
      ['Today', ['a']],
      ['Yesterday', ['b']],
    ]);
    expect(grouped([], now)).toEqual([]);
  });
});

describe('where an entry leads', () => {
  it('is its run for who operates the factory, and its item for everyone else', () => {
    const ended = entry('a', { kind: 'runFailed', runId: 'r1' });
    expect(hrefOf(ended, demo(true))).toBe('/o/demo/factory/runs/r1');
    expect(hrefOf(ended, demo(false))).toBe('/o/demo/p/PRJ/items/PRJ-1');
    const asks = entry('a', { kind: 'runNeedsInput', runId: 'r1' });
    expect(hrefOf(asks, demo(true))).toBe('/o/demo/p/PRJ/items/PRJ-1/refine');
  });

  it('is the sprint, the page, the members or the webhooks where it is about no item', () => {
    const about = (more: Partial<Notification>) => {
      const { itemKey: _, ...rest } = entry('a', more);
      return hrefOf(rest, demo(true));
    };
    expect(about({ sprintId: 's1' })).toBe('/o/demo/p/PRJ/sprints/s1/taskboard');
    expect(about({ page: 'Guides/How to' })).toBe('/o/demo/p/PRJ/wiki/Guides/How%20to');
    expect(about({ kind: 'runnerOffline' })).toBe('/o/demo/factory/runners');
    expect(about({ kind: 'channelBroken' })).toBe('/settings/notifications');
    expect(about({})).toBe('/o/demo/settings/members');
    expect(about({ kind: 'webhookDisabled' })).toBe('/o/demo/settings/webhooks');
  });
});
