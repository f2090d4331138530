/**
 * What can be taken back: the last twenty changes of this tab. Changes of items are kept with the tab, so that a page
 * that was loaded anew takes them back as well; of others, only this page knows how.
 */
import { accountOfPage } from '@/api/account';
import { emitter } from '@/lib/emitter';
import { same } from './contested';
import { type ItemChange, itemEvents, takeBack } from './kinds/item';

/** What undoes a change: the inverse changes of items, or something to do. */
type Undo = readonly ItemChange[] | (() => void);

interface Done {
  id: string;
  label: string;
  undo: Undo;
}

interface Kept {
  account: string | undefined;
  done: Done[];
}

const MOST = 20;
const NAME = 'svc.undo';
let known: Done[] | undefined;

/** Tells of a change that can be taken back, and of one that was, or cannot be any more. */
export const undoEvents = emitter<{ done: { id: string; label: string }; gone: string }>();

/** Remembers a change, and tells so that a toast can offer to take it back. */
export function undoable(label: string, undo: Undo): void {
  const id = crypto.randomUUID();
  remember([...done(), { id, label, undo }].slice(-MOST));
  undoEvents.emit('done', { id, label });
}

/** A change of an item that the service did not take is not to be taken back. */
function neverWas({ key, show }: ItemChange): void {
  const isIt = (inverse: ItemChange) => inverse.key === key && same(inverse.before, show);
  const found = done().findLast(({ undo }) => typeof undo !== 'function' && undo.some(isIt));
  if (!found || typeof found.undo === 'function') return;
  const rest = found.undo.filter((inverse) => !isIt(inverse));
  const kept = rest.length > 0 ? [{ ...found, undo: rest }] : [];
  remember(done().flatMap((entry) => (entry === found ? kept : entry)));
  if (rest.length === 0) undoEvents.emit('gone', found.id);
}

itemEvents.on('refused', ({ change }) => neverWas(change));
itemEvents.on('contested', ({ write }) => neverWas(write));

/** Takes a change back, the last one where none is named. Answers its label. */
export function undo(id = done().at(-1)?.id): string | undefined {
  const found = done().find((entry) => entry.id === id);
  if (!found) return undefined;
  remember(done().filter((entry) => entry !== found));
  undoEvents.emit('gone', found.id);
  if (typeof found.undo === 'function') found.undo();
  else takeBack(found.undo);
  return found.label;
}

export function forgetUndo(): void {
  known = undefined;
  dropKept();
}

function dropKept(): void {
  try {
    sessionStorage.removeItem(NAME);
  } catch {
    // Closed: nothing is kept.
  }
}

function done(): readonly Done[] {
  known ??= recall();
  return known;
}

function remember(entries: Done[]): void {
  known = entries;
  const kept: Kept = {
    account: accountOfPage(),
    done: entries.filter(({ undo }) => typeof undo !== 'function'),
  };
  try {
    sessionStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // Full or closed: it holds until the page is left, which then takes nothing older back instead.
    dropKept();
  }
}

function recall(): Done[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as Kept | null;
    if (kept && kept.account === accountOfPage()) return kept.done;
  } catch {
    // Closed or unreadable: begun anew.
  }
  return [];
}
