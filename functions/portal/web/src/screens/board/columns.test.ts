import { describe, expect, it } from 'vitest';
import type { Workflow } from '@/api/types';
import type { Card } from '@/store/feed';
import { lanesOf, neighbour, shownIn, spotOf, steady } from './columns';

const workflow: Workflow = {
  version: 1,
  states: [
    { name: 'Backlog', group: 'backlog' },
    { name: 'In progress', group: 'active' },
    { name: 'Closed', group: 'closed' },
  ],
  moves: [],
};

function card(key: string, state: string, more: Partial<Card> = {}): Card {
  return {
    key,
    state,
    priority: 'medium',
    labels: [],
    type: 'task',
    title: key,
    estimate: 2,
    ...more,
  } as Card;
}

const cards = [
  card('D-1', 'Backlog', { priority: 'high' }),
  card('D-2', 'Backlog', { labels: ['a', 'b'] }),
  card('D-3', 'Closed', { priority: 'high', assignee: { id: 'u1', name: 'Ada', agent: false } }),
];
const all = () => true;

describe('columns', () => {
  it('puts cards under their states, and counts and sums what is shown', () => {
    const [lane] = lanesOf(cards, { workflow }, 'none', (c) => c.key !== 'D-2');
    expect(lane?.columns.map((column) => [column.cards.length, column.total, column.estimate])).toEqual([
      [1, 2, 2],
      [0, 0, 0],
      [1, 1, 2],
    ]);
  });

  it('makes lanes in an order that people expect, and leaves empty ones out', () => {
    expect(lanesOf(cards, { workflow }, 'priority', all).map((lane) => lane.id)).toEqual(['high', 'medium']);
    expect(lanesOf(cards, { workflow }, 'assignee', all).map((lane) => lane.name)).toEqual(['Ada', 'Nobody']);
    expect(lanesOf(cards, { workflow }, 'label', all).map((lane) => lane.name)).toEqual([
      'a',
      'b',
      'No label',
    ]);
    expect(lanesOf(cards, { workflow }, 'priority', (c) => c.priority === 'high')).toHaveLength(1);
  });

  it('keeps the columns that are no different, so that they are not drawn again', () => {
    const before = lanesOf(cards, { workflow }, 'none', all);
    const moved = cards.map((c) => (c.key === 'D-1' ? { ...c, state: 'In progress' } : c));
    const [lane] = steady(before, lanesOf(moved, { workflow }, 'none', all));
    const same = lane?.columns.map((column, at) => column === before[0]?.columns[at]);
    expect(same).toEqual([false, false, true]);
  });

  it('counts a card once that is in the lanes of two labels', () => {
    expect(shownIn(lanesOf(cards, { workflow }, 'label', all))).toBe(3);
    expect(shownIn(lanesOf(cards, { workflow }, 'none', all))).toBe(3);
    expect(shownIn([])).toBe(0);
  });

  it('leads from card to card, over empty columns and into the next lane', () => {
    const lanes = lanesOf(cards, { workflow }, 'none', all);
    const spot = spotOf(lanes, 'D-2');
    expect(spot).toEqual({ lane: 0, column: 0, row: 1 });
    expect(spot && neighbour(lanes, spot, 'right')?.key).toBe('D-3');
    expect(spot && neighbour(lanes, spot, 'up')?.key).toBe('D-1');
    expect(spot && neighbour(lanes, spot, 'down')).toBeUndefined();
    const byPriority = lanesOf(cards, { workflow }, 'priority', all);
    const first = spotOf(byPriority, 'D-1');
    expect(first && neighbour(byPriority, first, 'down')?.key).toBe('D-2');
  });

  it('reaches every card of label lanes, also where one card is in two', () => {
    const labelled = [
      card('D-1', 'Backlog', { labels: ['a', 'b'] }),
      card('D-2', 'Backlog', { labels: ['a'] }),
      card('D-3', 'Backlog', { labels: ['b'] }),
    ];
    const lanes = lanesOf(labelled, { workflow }, 'label', all);
    const walk = (from: string, way: 'up' | 'down') => {
      const walked = [from];
      for (let at = spotOf(lanes, from); at && walked.length < 9; ) {
        const next = neighbour(lanes, at, way)?.key;
        if (next) walked.push(next);
        at = next === undefined ? undefined : spotOf(lanes, next);
      }
      return walked;
    };
    expect(walk('D-1', 'down')).toEqual(['D-1', 'D-2', 'D-3']);
    expect(walk('D-3', 'up')).toEqual(['D-3', 'D-2', 'D-1']);
  });
});
