import { describe, expect, it } from 'vitest';
import { added, draftOf, moveKey, rearranged, request } from './draft';

const stored = {
  version: 3,
  states: [
    { name: 'Backlog', group: 'backlog' as const },
    { name: 'Doing', group: 'active' as const },
    { name: 'Done', group: 'closed' as const },
  ],
  moves: [
    { from: 'Backlog', to: 'Doing' },
    { from: 'Doing', to: 'Done' },
  ],
};

describe('workflow', () => {
  it('sends what is stored when nothing changed', () => {
    const bare = { wipLimit: 0, color: '', description: '' };
    const states = stored.states.map((state) => ({ ...state, ...bare }));
    expect(request(draftOf(stored), 3)).toEqual({ ...stored, states, moveItems: [] });
  });

  it('moves the items of a renamed state along', () => {
    const draft = draftOf(stored);
    const states = draft.states.map((state, at) => (at === 1 ? { ...state, name: 'In progress' } : state));
    expect(request({ ...draft, states }, 3)).toMatchObject({
      moves: [
        { from: 'Backlog', to: 'In progress' },
        { from: 'In progress', to: 'Done' },
      ],
      moveItems: [{ from: 'Doing', to: 'In progress' }],
    });
  });

  it('keeps the limit, colour and description of a state under a new name', () => {
    const [first, ...rest] = stored.states;
    const rich = { ...first, name: 'Backlog', group: 'backlog' as const, wipLimit: 4, color: '#aa3355' };
    const draft = draftOf({ ...stored, states: [{ ...rich, description: 'To come' }, ...rest] });
    const states = draft.states.map((state, at) => (at === 0 ? { ...state, name: 'To do' } : state));
    expect(request({ ...draft, states }, 3).states[0]).toEqual({
      name: 'To do',
      group: 'backlog',
      wipLimit: 4,
      color: '#aa3355',
      description: 'To come',
    });
  });

  it('takes moves along with their states, and drops those of a removed one', () => {
    const turned = rearranged(draftOf(stored), [1, 0, 2]);
    expect([...turned.moves].sort()).toEqual([moveKey(0, 2), moveKey(1, 0)]);
    const without = { ...rearranged(draftOf(stored), [0, 2]), removed: [{ name: 'Doing', to: 'Backlog' }] };
    expect(request(without, 3)).toMatchObject({ moves: [], moveItems: [{ from: 'Doing', to: 'Backlog' }] });
  });

  it('makes a new state reachable', () => {
    const draft = added(draftOf(stored), 'Shipped', 'closed');
    expect(draft.moves.has(moveKey(2, 3))).toBe(true);
    expect(draft.states.at(-1)).toEqual({
      was: undefined,
      name: 'Shipped',
      group: 'closed',
      limit: '',
      color: '',
      description: '',
    });
  });
});
