import { describe, expect, it } from 'vitest';
import type { Workflow } from '@/api/types';
import type { Card } from '@/store/feed';
import { type ListGroup, rowsOf } from './rows';

const workflow = { states: [], moves: [] } as unknown as Workflow;
const card = (key: string, due?: string) => ({ key, due, rank: key }) as unknown as Card;

it('sorts by due day, with items that have none last in both directions', () => {
  const cards = [card('A-1'), card('A-2', '2026-03-12'), card('A-3', '2026-03-01'), card('A-4')];
  const keys = (sort: string) =>
    rowsOf(cards, { workflow }, 'none', sort).map((row) => row.kind === 'item' && row.card.key);
  expect(keys('due')).toEqual(['A-3', 'A-2', 'A-1', 'A-4']);
  expect(keys('-due')).toEqual(['A-2', 'A-3', 'A-1', 'A-4']);
});

describe('groups', () => {
  const known = {
    workflow,
    sprints: [
      { id: 's2', name: 'Sprint 10' },
      { id: 's1', name: 'Sprint 9' },
    ],
    milestones: [{ id: 'm1', name: 'Beta' }],
  };
  const item = (key: string, fields: Partial<Card>) =>
    ({ key, rank: key, labels: [], title: key, ...fields }) as unknown as Card;
  const cards = [
    item('A-1', { labels: ['v10', 'v9'], sprint: 's1', parent: 'A-10' }),
    item('A-2', { labels: ['v10'], milestone: 'm1', parent: 'A-9' }),
    item('A-3', { sprint: 's2' }),
  ];
  const all = [...cards, item('A-9', { title: 'Nine' }), item('A-10', { title: 'Ten' })];
  const rows = (kind: ListGroup) =>
    rowsOf(cards, known, kind, '', all).map((row) => (row.kind === 'item' ? row.card.key : `${row.name}:`));

  it('are named, in the order of the project or of their names, with what belongs to none last', () => {
    expect(rows('sprint')).toEqual(['Sprint 10:', 'A-3', 'Sprint 9:', 'A-1', 'No sprint:', 'A-2']);
    expect(rows('milestone')).toEqual(['Beta:', 'A-2', 'No milestone:', 'A-1', 'A-3']);
    expect(rows('parent')).toEqual(['A-9 Nine:', 'A-2', 'A-10 Ten:', 'A-1', 'No parent:', 'A-3']);
  });

  it('repeat an item under each of its labels, as a row of its own that says so', () => {
    expect(rows('label')).toEqual(['v9:', 'A-1', 'v10:', 'A-1', 'A-2', 'No label:', 'A-3']);
    const made = rowsOf(cards, known, 'label', '');
    expect(new Set(made.map((row) => row.id)).size).toBe(made.length);
    expect(made.filter((row) => row.kind === 'item' && row.again).map((row) => row.id)).toEqual(['A-1 v10']);
  });
});
