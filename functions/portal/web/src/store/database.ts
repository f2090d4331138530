/**
 * What this browser keeps for one person: projects' items, answers that pages were drawn from, writes that wait to be
 * sent, drafts. Named by the account, wiped at sign-out and when the account loses access. Logs, prompts and
 * failure reasons of runs are never written here.
 *
 * Storage may be full, closed or gone at any time. Every function then does nothing or answers nothing: the app works
 * from memory, and only what a closed tab would have kept is lost.
 */
import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import type { Card } from './feed';
import {
  allAside,
  beginChange,
  forgetUnsaved,
  type StoredDraft,
  type TypedStore,
  type Unsaved,
} from './unsaved';
import type { Write } from './write';

interface StoredProject {
  id: string;
  /** Names this snapshot, for the changes that belong to it. */
  snapshot: string;
  /** The cards as JSON: a browser reads one text several times faster than thousands of objects. */
  cards: string;
  cursor: string;
  missing: number;
}

/** What changed since a snapshot was kept. */
interface StoredChanges {
  id: string;
  snapshot: string;
  cards: Card[];
  removed: string[];
  cursor: string;
}

interface StoredAnswer {
  hash: string;
  key: readonly unknown[];
  answer: unknown;
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

/**
 * 3: a project is a text and what changed since. Projects of older versions are loaded anew.
 * 4: comments are kept without the reasons of failed runs. Answers of older versions, which have them, are dropped.
 */
const VERSION = 4;
let opened: Promise<IDBPDatabase<Schema> | undefined> = Promise.resolve(undefined);
let owner: Owner | undefined;

/** A person whose database is open. Whoever signs in again after a wipe is another owner. */
export interface Owner {
  readonly user: string;
}

/** Whose database is open; nobody's once it was wiped, by this tab or another. */
export function ownerOfDatabase(): Owner | undefined {
  return owner;
}

/** Opens the person's database. */
export function openDatabase(user: string): void {
  if (user === owner?.user) return;
  owner = { user };
  opened = open(user).catch(() => undefined);
}

/** Fails, by a promise, where storage is closed or refused. */
async function open(user: string): Promise<IDBPDatabase<Schema>> {
  const database = await openDB<Schema>(`svc.${user}`, VERSION, {
    upgrade(database, before, _now, transaction) {
      if (before < 3) database.createObjectStore('changes', { keyPath: 'id' });
      if (before > 0) {
        if (before < 3) void transaction.objectStore('projects').clear();
        void transaction.objectStore('answers').clear();
        return;
      }
      database.createObjectStore('projects', { keyPath: 'id' });
      database.createObjectStore('answers', { keyPath: 'hash' });
      database.createObjectStore('writes', { keyPath: 'id' });
      database.createObjectStore('drafts', { keyPath: 'id' });
    },
    blocking(_from, to, event) {
      const database = event.target as IDBDatabase;
      database.close();
      // Another tab wipes it.
      if (to === null && database.name === `svc.${owner?.user}`) closeDatabase();
    },
  });
  return putBack(database, user);
}

/** Does in the database what a page before could only put aside. What was written later, by another tab, stays. */
async function putBack(database: IDBPDatabase<Schema>, user: string): Promise<IDBPDatabase<Schema>> {
  for (const { change, done } of allAside(user)) {
    try {
      const { store, id, value, at } = change;
      const kept = await database.get(store, id);
      if (!kept || kept.at <= at) await (value ? database.put(store, value) : database.delete(store, id));
      done();
    } catch {
      // It stays where it is until the next start.
    }
  }
  return database;
}

/** Forgets whose page this is, and what of theirs is not kept yet: nothing more of theirs is written. */
export function closeDatabase(): void {
  opened = Promise.resolve(undefined);
  owner = undefined;
  forgetUnsaved();
}

/** Forgets everything that is kept for anybody. */
export async function wipeDatabases(): Promise<void> {
  const last = opened;
  closeDatabase();
  (await last)?.close();
  try {
    const all = await indexedDB.databases();
    const ours = all.map((database) => database.name ?? '').filter((name) => name.startsWith('svc.'));
    await Promise.all(ours.map((name) => deleteDB(name)));
  } catch {
    // Nothing can be listed where storage is closed; then nothing was kept either.
  }
}

/** Keeps something, or several things together; whether they are kept now. */
export async function keep<Name extends Store>(
  store: Name,
  ...values: Schema[Name]['value'][]
): Promise<boolean> {
  const put = (rows: IDBPObjectStore<Schema, [Name], Name, 'readwrite'>) =>
    Promise.all(values.map((value) => rows.put(value)));
  return (await attempt((database) => change(database, store, put))) ?? false;
}

export async function drop(store: Store, key: string): Promise<void> {
  await attempt((database) => change(database, store, (rows) => rows.delete(key)));
}

/** Keeps what a person wrote, also when the page is left at once; whether the database has it now. */
export async function keepTyped<Name extends TypedStore>(
  store: Name,
  ...values: Schema[Name]['value'][]
): Promise<boolean> {
  const done = values.map((value) => begin({ store, id: value.id, at: value.at, value } as Unsaved));
  const kept = await keep(store, ...values);
  if (kept) for (const one of done) one();
  return kept;
}

/** Drops what a person wrote, also when the page is left at once. */
export async function dropTyped(store: TypedStore, id: string): Promise<void> {
  const done = begin({ store, id, at: Date.now() });
  await drop(store, id);
  done();
}

function begin(change: Unsaved): () => void {
  return owner ? beginChange(owner.user, change) : () => {};
}

async function change<Name extends Store>(
  database: IDBPDatabase<Schema>,
  store: Name,
  ask: (rows: IDBPObjectStore<Schema, [Name], Name, 'readwrite'>) => Promise<unknown>,
): Promise<true> {
  const transaction = database.transaction(store, 'readwrite');
  const asked = ask(transaction.store);
  // Without this a page that is left at once would not write it.
  transaction.commit();
  await Promise.all([asked, transaction.done]);
  return true;
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
  const [whose, asked] = [owner, opened];
  try {
    const database = await asked;
    return database ? await work(database) : undefined;
  } catch (error) {
    // The browser may close a database that is in use. Only what is still the same person's is done in the next.
    if (!isClosed(error) || !whose || owner !== whose) return undefined;
    if (opened === asked) opened = open(whose.user).catch(() => undefined);
    const database = await opened;
    return database && owner === whose ? work(database).catch(() => undefined) : undefined;
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'InvalidStateError';
}
