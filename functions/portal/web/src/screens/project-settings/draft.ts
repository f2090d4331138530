/** Edits of a workflow before it is saved. Pure: a name that changed is a state that moves its items. */
import type { components } from '@/api/schema';
import type { StateGroup } from '@/api/types';

type Stored = components['schemas']['Workflow'];

interface DraftState {
  /** Its name as it is stored; nothing for a new one. */
  was: string | undefined;
  name: string;
  group: StateGroup;
  /** How many items shall be in it at most, as it is typed; empty for as many as there are. */
  limit: string;
  /** What this form does not change, so that a state keeps it under a new name. */
  color: string;
  description: string;
}

export interface Draft {
  states: DraftState[];
  /** Allowed moves, as `from → to` of positions in `states`. */
  moves: ReadonlySet<string>;
  /** Removed states, and where their items go. */
  removed: { name: string; to: string }[];
}

export const moveKey = (from: number, to: number) => `${from}>${to}`;

export function draftOf(workflow: Stored): Draft {
  const at = new Map(workflow.states.map((state, position) => [state.name, position]));
  const moves = workflow.moves.map((move) => moveKey(at.get(move.from) ?? -1, at.get(move.to) ?? -1));
  const states = workflow.states.map(({ name, group, wipLimit, color, description }) => ({
    was: name,
    name,
    group,
    limit: wipLimit ? String(wipLimit) : '',
    color: color ?? '',
    description: description ?? '',
  }));
  return { states, moves: new Set(moves), removed: [] };
}

/** Puts a state elsewhere, or takes it out; moves follow the states that stay. */
export function rearranged(draft: Draft, order: readonly number[]): Draft {
  const now = new Map(order.map((old, position) => [old, position]));
  const moves = [...draft.moves].flatMap((move) => {
    const [from, to] = move.split('>').map(Number);
    const [nextFrom, nextTo] = [now.get(from ?? -1), now.get(to ?? -1)];
    return nextFrom === undefined || nextTo === undefined ? [] : [moveKey(nextFrom, nextTo)];
  });
  return { ...draft, states: order.flatMap((old) => draft.states[old] ?? []), moves: new Set(moves) };
}

/** A new state at the end of its group, reachable from its neighbour and back. */
export function added(draft: Draft, name: string, group: StateGroup): Draft {
  const states = [...draft.states, { was: undefined, name, group, limit: '', color: '', description: '' }];
  const last = states.length - 1;
  const moves = new Set(draft.moves);
  if (last > 0) moves.add(moveKey(last - 1, last)).add(moveKey(last, last - 1));
  return { ...draft, states, moves };
}

/** What is sent. */
export function request(draft: Draft, version: number): components['schemas']['SetWorkflow'] {
  const names = draft.states.map((state) => state.name.trim());
  const moves = [...draft.moves].map((move) => {
    const [from, to] = move.split('>').map(Number);
    return { from: names[from ?? 0] ?? '', to: names[to ?? 0] ?? '' };
  });
  const renamed = draft.states.flatMap(({ was, name }) =>
    was !== undefined && was !== name.trim() ? [{ from: was, to: name.trim() }] : [],
  );
  const removed = draft.removed.map(({ name, to }) => ({ from: name, to }));
  return {
    version,
    // Nothing and 0 take away what the state had.
    states: draft.states.map(({ name, group, limit, color, description }) => ({
      name: name.trim(),
      group,
      wipLimit: Number(limit) || 0,
      color,
      description,
    })),
    moves,
    moveItems: [...renamed, ...removed],
  };
}
