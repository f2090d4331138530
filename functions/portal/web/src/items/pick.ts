/** Asking for a picker: which one, for which items, at which element. The pickers themselves are loaded when asked for. */
import { useSyncExternalStore } from 'react';
import { awaitField, forgetField } from '@/commands/ahead';
import { type Place, projectAt } from './actions';

export type PickerKind =
  | 'state'
  | 'priority'
  | 'assignee'
  | 'labels'
  | 'sprint'
  | 'milestone'
  | 'type'
  | 'estimate'
  | 'remaining'
  | 'due'
  | 'parent'
  | 'link'
  | 'move';

/** The pickers that have a key, in the order of bars and lists. */
export const PICKERS = [
  { kind: 'state', title: 'state', keys: 's' },
  { kind: 'priority', title: 'priority', keys: 'p' },
  { kind: 'assignee', title: 'assignee', keys: 'a' },
  { kind: 'labels', title: 'labels', keys: 'l' },
  { kind: 'sprint', title: 'sprint', keys: 't' },
  { kind: 'estimate', title: 'estimate', keys: 'shift+e' },
  { kind: 'due', title: 'due', keys: 'shift+d' },
  { kind: 'link', title: 'link', keys: 'shift+l' },
  { kind: 'move', title: 'moveMenu', keys: 'm' },
] as const satisfies readonly { kind: PickerKind; title: string; keys: string }[];

/** The pickers of what items of several projects have in common. */
const ACROSS: readonly PickerKind[] = ['state', 'priority', 'assignee', 'labels', 'estimate', 'due', 'link'];

/** Whether a picker is there for items of so many projects. */
export function isAcross(kind: PickerKind, projects: readonly string[]): boolean {
  return projects.length <= 1 || ACROSS.includes(kind);
}

/** The projects of items. */
export function projectsOf(place: Pick<Place, 'project'>, keys: readonly string[]): string[] {
  return [...new Set(keys.map((key) => projectAt(place, key)))];
}

export interface Picking extends Place {
  kind: PickerKind;
  keys: string[];
  anchor: Element;
}

let picking: Picking | undefined;
const listeners = new Set<() => void>();

/** Opens a picker for one item or several, at an element. */
export function pick(next: Picking | undefined): void {
  picking = next;
  if (next) awaitField(() => pick(undefined));
  else forgetField();
  for (const listener of listeners) listener();
}

/** What was asked for, if anything. */
export function usePicking(): Picking | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => picking,
  );
}
