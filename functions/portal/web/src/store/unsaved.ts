/**
 * What a person wrote, on its way into the database: drafts and writes that are being kept, and drafts that are being
 * dropped because they were sent. A page that is left may end before the database has done that, so it is then also
 * written to local storage, which takes it at once. The next start does it (`putBack`).
 */
import type { Write } from './write';

export interface StoredDraft {
  id: string;
  text: string;
  /** What the text was when the draft was begun, so that a change by others is noticed. */
  base?: string | undefined;
  at: number;
}

interface Typed {
  drafts: StoredDraft;
  writes: Write;
}

export type TypedStore = keyof Typed;

/** One change of the database: what is kept under an id, or that it is dropped. */
export type Unsaved = {
  [Store in TypedStore]: { store: Store; id: string; at: number; value?: Typed[Store] };
}[TypedStore];

const PREFIX = 'svc.unsaved.';
const underWay = new Map<string, Unsaved>();

const nameOf = (user: string, { store, id }: Unsaved) => `${PREFIX}${user}/${store}/${id}`;

/** Says that a change is begun. Call what it answers when the database has it. */
export function beginChange(user: string, change: Unsaved): () => void {
  const name = nameOf(user, change);
  underWay.set(name, change);
  return () => {
    if (underWay.get(name) !== change) return;
    underWay.delete(name);
    takeAway(name, change);
  };
}

/** Writes to local storage what is under way: the page may end at any moment. */
export function putAside(): void {
  for (const [name, change] of underWay) {
    try {
      localStorage.setItem(name, JSON.stringify(change));
    } catch {
      // Full or closed: the database may still take it.
    }
  }
}

/** What was put aside for a person; `done` removes it. */
export function allAside(user: string): { change: Unsaved; done: () => void }[] {
  return names(`${PREFIX}${user}/`).flatMap((name) => {
    const change = read(name);
    return change ? { change, done: () => takeAway(name, change) } : [];
  });
}

/** Forgets what is under way and what was put aside for anybody. */
export function forgetUnsaved(): void {
  underWay.clear();
  for (const name of names(PREFIX)) localStorage.removeItem(name);
}

/** Another tab may have put something newer aside under this name. */
function takeAway(name: string, { at }: Unsaved): void {
  const there = read(name);
  if (there && there.at <= at) localStorage.removeItem(name);
}

function names(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}

function read(name: string): Unsaved | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
