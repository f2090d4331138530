import { expect, it } from 'vitest';
import { progressOf } from './entries';

it('counts what belongs to an epic', () => {
  const of = (parent: string | null, stateGroup: 'backlog' | 'active' | 'resolved' | 'closed') => ({
    parent,
    stateGroup,
  });
  const children = [
    of('A-1', 'closed'),
    of('A-1', 'resolved'),
    of('A-1', 'active'),
    of('B-2', 'backlog'),
    of(null, 'closed'),
  ];
  expect(progressOf(children)).toEqual(
    new Map([
      ['A-1', { done: 2, active: 1, all: 3 }],
      ['B-2', { done: 0, active: 0, all: 1 }],
    ]),
  );
});
