/** Asking for a picker: which one, for which items, at which element. The pickers themselves are loaded when asked for. */
import { useSyncExternalStore } from 'react';
import type { Place } from './actions';

export type PickerKind =
  | 'state'
  | 'priority'
  | 'assignee'
  | 'labels'
  | 'sprint'
  | 'type'
  | 'estimate'
  | 'remaining'
  | 'due'
  | 'move';

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
