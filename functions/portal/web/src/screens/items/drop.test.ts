import { expect, it } from 'vitest';
import type { Workflow } from '@/api/types';
import { stateIn } from './drop';

const workflow = {
  states: [
    { name: 'Backlog', group: 'backlog' },
    { name: 'Doing', group: 'active' },
    { name: 'In review', group: 'active' },
    { name: 'Done', group: 'closed' },
  ],
  moves: [
    { from: 'Backlog', to: 'In review' },
    { from: 'In review', to: 'Done' },
  ],
} as unknown as Workflow;

it('goes to the first state of the group that the workflow leads to', () => {
  expect(stateIn(workflow, 'Backlog', 'active')).toBe('In review');
  expect(stateIn(workflow, 'Done', 'active')).toBe('Doing');
  expect(stateIn(workflow, 'Backlog', 'resolved')).toBeUndefined();
});
