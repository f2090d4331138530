/**
 * Commands: everything that can be done by key is a command with a name, so that it is in the palette and in the help
 * too. A screen registers its commands while it is there (`useCommands`); the last registered of a key wins.
 *
 * Keys are written as `mod+k`, `shift+j`, `c`, or a sequence as `g b`. `mod` is ⌘ on Apple machines and Ctrl elsewhere.
 * Single keys do nothing while a field has the focus, and can be switched off (WCAG 2.1.4). Keys with `mod` that fields
 * use themselves, such as undo, belong to the field that has the focus.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { pressedFor } from './keymap';

export type Group = 'go' | 'item' | 'view' | 'general';

export interface Command {
  id: string;
  title: string;
  group: Group;
  keys?: string | undefined;
  /** Why it cannot be done now. */
  refusal?: string | undefined;
  /** Left out of the palette: movements such as J and K. */
  hidden?: boolean | undefined;
  run: () => void;
}

const scopes: Command[][] = [];
const listeners = new Set<() => void>();
let snapshot: readonly Command[] = [];

/** Registers commands while the component is there. They may change with every drawing. */
export function useCommands(commands: Command[]): void {
  const scope = useRef<Command[]>([]);
  useEffect(() => {
    scope.current.splice(0, scope.current.length, ...commands);
    changed();
  });
  useEffect(() => {
    const mine = scope.current;
    scopes.push(mine);
    changed();
    return () => {
      scopes.splice(scopes.indexOf(mine), 1);
      changed();
    };
  }, []);
}

/** Every command that can be given now; of two with one id, the later. */
export function useAllCommands(): readonly Command[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, allCommands);
}

function allCommands(): readonly Command[] {
  return snapshot;
}

let scheduled = false;

function changed(): void {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    const byId = new Map(scopes.flat().map((command) => [command.id, command]));
    const next = [...byId.values()];
    snapshot = next;
    for (const listener of [...listeners]) listener();
  });
}

/** The command of these keys: the latest registered. */
export function commandOf(keys: string): Command | undefined {
  for (let at = scopes.length - 1; at >= 0; at--) {
    const found = scopes[at]?.find((command) => command.keys && pressedFor(command.keys) === keys);
    if (found) return found;
  }
  return undefined;
}

/** Whether some command begins with this key and waits for a second. */
export function beginsSequence(key: string): boolean {
  return scopes.some((scope) =>
    scope.some((command) => command.keys && pressedFor(command.keys).startsWith(`${key} `)),
  );
}
