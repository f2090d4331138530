/** What can be opened over any screen: palette, help on keys, the phone's More, the dialog that creates an item. */
import { useSyncExternalStore } from 'react';
import { awaitField, forgetField } from '@/commands/ahead';

export type Overlay =
  | { kind: 'palette'; query?: string }
  | { kind: 'help' }
  | { kind: 'more' }
  | {
      kind: 'create';
      slug: string;
      project: string;
      preset?: CreatePreset;
      problem?: unknown;
    };

/** Fields that a new item begins with, from the column or filter that it is created in. */
export interface CreatePreset {
  state?: string | undefined;
  priority?: string | undefined;
  assignee?: string | undefined;
  labels?: string[] | undefined;
  parent?: string | undefined;
}

let current: Overlay | undefined;
const listeners = new Set<() => void>();

export function show(overlay: Overlay | undefined): void {
  current = overlay;
  if (overlay?.kind === 'palette' || overlay?.kind === 'create') awaitField(closeOverlay);
  else forgetField();
  for (const listener of listeners) listener();
}

/** What is open now. */
export function overlayNow(): Overlay | undefined {
  return current;
}

export const closeOverlay = () => show(undefined);
export const openPalette = () => show({ kind: 'palette' });
export const openMore = () => show({ kind: 'more' });
export const openHelp = () => show({ kind: 'help' });

export function useOverlay(): Overlay | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
