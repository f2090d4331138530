/** What can be taken back: the last twenty changes, each with what undoes it. */
import { emitter } from '@/lib/emitter';

interface Undoable {
  label: string;
  undo: () => void;
}

const MOST = 20;
const done: Undoable[] = [];

export const undoEvents = emitter<{ done: Undoable }>();

/** Remembers a change, and tells so that a toast can offer to take it back. */
export function undoable(label: string, undo: () => void): void {
  done.push({ label, undo });
  if (done.length > MOST) done.shift();
  undoEvents.emit('done', { label, undo: () => undoOne(undo) });
}

/** Takes the last change back. Answers its label. */
export function undoLast(): string | undefined {
  const last = done.pop();
  last?.undo();
  return last?.label;
}

function undoOne(undo: () => void): void {
  const at = done.findIndex((entry) => entry.undo === undo);
  if (at < 0) return;
  done.splice(at, 1);
  undo();
}

export function forgetUndo(): void {
  done.length = 0;
}
