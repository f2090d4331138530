/**
 * What this browser keeps for one person: projects' items, answers that pages were drawn from, writes that wait to be
 * sent, drafts. Named by the account, wiped at sign-out and when the account loses access. Logs and prompts of runs
 * are never written here.
 *
 * Storage may be full, closed or gone at any time. Every function then does nothing or answers nothing: the app works
 * from memory, and only what a closed tab would have kept is lost.
 */
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { Card } from './feed';
import type { Write } from './write';

export interface StoredProject {
  id: string;
  /** Names this snapshot, for the changes that belong to it. */
  snapshot: string;
  /** The cards as JSON: a browser reads one text several times faster than thousands of objects. */
  cards: string;
  cursor: string;
  missing: number;
}

/** What changed since a snapshot was kept. */
export interface StoredChanges {
  id: string;
  snapshot: string;
  cards: Card[];
  removed: string[];
  cursor: string;
}

export interface StoredAnswer {
  hash: string;
  key: readonly unknown[];
  answer: unknown;
  at: number;
}

export interface StoredDraft {
  id: string;
  text: string;
  /** What the text was when the draft was begun, so that a change by others is noticed. */
  base?: string | undefined;
  at: number;
}

interface Schema extends DBSchema {
  projects: { key: string; value: StoredProject };
  changes: { key: string; value: StoredChanges };
  answers: { key: string; value: StoredAnswer };
  writes: { key: string; value: Write };
  drafts: { key: string; value: StoredDraft };
}

type Store = 'projects' | 'changes' | 'answers' | 'writes' | 'drafts';

/** 3: a project is a text and what changed since. Projects of older versions are loaded anew. */
const VERSION = 3;
let opened: Promise<IDBPDatabase<Schema> | undefined> = Promise.resolve(undefined);
let openName: string | undefined;

/** Opens the person's database. */
export function openDatabase(user: string): void {
  const name = `svc.${user}`;
  if (name === openName) return;
  openName = name;
  opened = openDB<Schema>(name, VERSION, {
    upgrade(database, before, _now, transaction) {
      if (before < 3) database.createObjectStore('changes', { keyPath: 'id' });
      if (before > 0) {
        void transaction.objectStore('projects').clear();
        return;
      }
      database.createObjectStore('projects', { keyPath: 'id' });
      database.createObjectStore('answers', { keyPath: 'hash' });
      database.createObjectStore('writes', { keyPath: 'id' });
      database.createObjectStore('drafts', { keyPath: 'id' });
    },
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  }).catch(() => undefined);
}

/** Forgets everything that is kept for anybody. */
export async function wipeDatabases(): Promise<void> {
  (await opened)?.close();
  opened = Promise.resolve(undefined);
  openName = undefined;
  try {
    const all = await indexedDB.databases();
    const ours = all.map((database) => database.name ?? '').filter((name) => name.startsWith('svc.'));
    await Promise.all(ours.map((name) => deleteDB(name)));
  } catch {
    // Nothing can be listed where storage is closed; then nothing was kept either.
  }
}

export async function keep<Name extends Store>(store: Name, value: Schema[Name]['value']): Promise<void> {
  await attempt(async (database) => void (await database.put(store, value)));
}

export async function drop(store: Store, key: string): Promise<void> {
  await attempt((database) => database.delete(store, key));
}

export async function recall<Name extends Store>(
  store: Name,
  key: string,
): Promise<Schema[Name]['value'] | undefined> {
  return attempt((database) => database.get(store, key));
}

export async function recallAll<Name extends Store>(store: Name): Promise<Schema[Name]['value'][]> {
  return (await attempt((database) => database.getAll(store))) ?? [];
}

async function attempt<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T | undefined> {
  try {
    const database = await opened;
    return database ? await work(database) : undefined;
  } catch {
    return undefined;
  }
}
