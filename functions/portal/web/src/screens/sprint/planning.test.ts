import { describe, expect, it } from 'vitest';
import type { Card } from '@/store/feed';
import { planLists } from './planning';

const card = (key: string, fields: Partial<Card> = {}) =>
  ({
    key,
    title: `Title of ${key}`,
    type: 'task',
    stateGroup: 'backlog',
    state: 'Backlog',
    sprint: null,
    version: 1,
    ...fields,
  }) as Card;

describe('plan', () => {
  const cards = [
    card('D-1'),
    card('D-2', { sprint: 's1', estimate: 3 }),
    card('D-3', { sprint: 's1', estimate: 2.5, stateGroup: 'closed' }),
    card('D-4', { sprint: 's2' }),
    card('D-5', { stateGroup: 'closed' }),
    card('D-6', { type: 'subtask' }),
    card('D-7', { type: 'epic' }),
  ];

  it('has open items without a sprint beside those of the sprint, finished ones too', () => {
    const { backlog, planned, estimate } = planLists(cards, 's1', '');
    expect(backlog.map(({ key }) => key)).toEqual(['D-1']);
    expect(planned.map(({ key }) => key)).toEqual(['D-2', 'D-3']);
    expect(estimate).toBe(5.5);
  });

  it('counts subtasks in the sprint for their item, as the burndown does', () => {
    const split = [
      card('D-1', { sprint: 's1', estimate: 8 }),
      card('D-2', { sprint: 's1', type: 'subtask', parent: 'D-1', estimate: 3 }),
      card('D-3', { sprint: 's1', type: 'subtask', parent: 'D-1' }),
      card('D-4', { sprint: 's1', estimate: 5 }),
      card('D-5', { sprint: 's1', type: 'subtask', parent: 'D-4' }),
      card('D-6', { sprint: 's1', type: 'subtask', parent: 'D-9', estimate: 2 }),
      card('D-7', { sprint: 's1', estimate: 1 }),
      card('D-8', { sprint: 's1', type: 'subtask', parent: 'D-7', remaining: 1 }),
    ];
    expect(planLists(split, 's1', '').estimate).toBe(10);
  });

  it('narrows both lists, and never the sum', () => {
    expect(planLists(cards, 's1', 'd-2')).toMatchObject({ backlog: [], estimate: 5.5 });
  });
});
