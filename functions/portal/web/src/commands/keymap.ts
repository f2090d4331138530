/**
 * Keys that somebody changed in this browser: what commands are written with, to what is pressed instead. Several
 * screens use the same keys for what is alike there, so they move together.
 */
import { readLocal, useLocal, writeLocal } from '@/lib/local';

type Keymap = Readonly<Record<string, string>>;

const NAME = 'keymap';
const NONE: Keymap = {};

/** The keys that are pressed for what is written so. */
export function pressedFor(keys: string): string {
  return readLocal<Keymap>(NAME, NONE)[keys] ?? keys;
}

/** The same, drawn again when it changes. */
export function useKeymap(): { pressedFor: (keys: string) => string; changed: boolean } {
  const [map] = useLocal<Keymap>(NAME, NONE);
  return { pressedFor: (keys) => map[keys] ?? keys, changed: Object.keys(map).length > 0 };
}

/** Takes other keys for what is written so. */
export function remap(keys: string, pressed: string): void {
  const { [keys]: _, ...others } = readLocal<Keymap>(NAME, NONE);
  writeLocal(NAME, pressed === keys ? others : { ...others, [keys]: pressed });
}

export function forgetKeymap(): void {
  writeLocal(NAME, NONE);
}

/** Whether these can be keys of a command: one that types or moves, alone, with Shift, or with Ctrl or ⌘. */
export function canBePressed(keys: string): boolean {
  return !['tab', 'shift+tab', 'escape', 'enter', 'backspace', 'delete'].includes(keys);
}
