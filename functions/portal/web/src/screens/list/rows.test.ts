import { expect, it } from 'vitest';
import type { Workflow } from '@/api/types';
import type { Card } from '@/store/feed';
import { rowsOf } from './rows';

const workflow = { states: [], moves: [] } as unknown as Workflow;
const card = (key: string, due?: string) => ({ key, due, rank: key }) as unknown as Card;

it('sorts by due day, with items that have none last in both directions', () => {
  const cards = [card('A-1'), card('A-2', '2026-03-12'), card('A-3', '2026-03-01'), card('A-4')];
  const keys = (sort: string) =>
    rowsOf(cards, workflow, 'none', sort).map((row) => row.kind === 'item' && row.card.key);
  expect(keys('due')).toEqual(['A-3', 'A-2', 'A-1', 'A-4']);
  expect(keys('-due')).toEqual(['A-2', 'A-3', 'A-1', 'A-4']);
});
