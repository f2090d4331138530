import { expect, it } from 'vitest';
import type { ItemLink } from '@/api/types';
import { byKind, linkName, openBlockers } from './links';

const link = (type: string, item: string, stateGroup = 'active') =>
  ({ type, item, stateGroup, itemType: 'task', title: item, state: 'Somewhere' }) as ItemLink;

it('groups links, those that hold the item up first, and unknown kinds last', () => {
  const groups = byKind([
    link('isSimilarTo', 'A-4'),
    link('relates', 'A-1'),
    link('blockedBy', 'A-2'),
    link('relates', 'A-3'),
  ]);
  expect(groups.map(([kind, links]) => [linkName(kind), ...links.map(({ item }) => item)])).toEqual([
    ['Blocked by', 'A-2'],
    ['Relates to', 'A-1', 'A-3'],
    ['isSimilarTo', 'A-4'],
  ]);
});

it('is blocked by what is neither resolved nor closed', () => {
  const links = ['backlog', 'active', 'resolved', 'closed'].map((group) => link('blockedBy', group, group));
  expect(openBlockers([...links, link('blocks', 'other')]).map(({ item }) => item)).toEqual([
    'backlog',
    'active',
  ]);
});
