import { afterEach, expect, it, vi } from 'vitest';
import { closeDatabase, dropTyped, keep, keepTyped, openDatabase, recall, wipeDatabases } from './database';
import { forgetDraft, readDraft, saveNow, saveSoon } from './draft-saving';
import type { StoredDraft } from './unsaved';

const kept = async (id: string) => (await recall('drafts', id))?.text;
/** As a page of this browser does that ends before the database has the draft. */
const putAside = (user: string, value: StoredDraft) =>
  localStorage.setItem(
    `svc.unsaved.${user}/drafts/${value.id}`,
    JSON.stringify({ store: 'drafts', id: value.id, at: value.at, value }),
  );
const aside = () => Object.keys(localStorage).filter((name) => name.startsWith('svc.unsaved.'));

afterEach(async () => {
  vi.useRealTimers();
  await wipeDatabases();
});

it('saves half a second after the first key, however many follow', async () => {
  openDatabase('ada');
  await recall('drafts', 'any');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (const text of ['S', 'St', 'Ste', 'Stea', 'Stead', 'Steady']) {
    saveSoon({ id: 'typed', text });
    vi.advanceTimersByTime(100);
  }
  vi.useRealTimers();
  await vi.waitFor(async () => expect(await kept('typed')).toMatch(/^Stead/));
});

it('saves again what the database could not take, without another key', async () => {
  openDatabase('ada');
  await recall('drafts', 'any');
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  });
  saveSoon({ id: 'again', text: 'Typed once' });
  await saveNow();
  expect(put).toHaveBeenCalledOnce();
  expect(await kept('again')).toBeUndefined();
  await vi.waitFor(async () => expect(await kept('again')).toBe('Typed once'), { timeout: 5_000 });
});

it('puts what is not saved aside when the page is left, and takes it away once it is saved', async () => {
  openDatabase('ada');
  saveSoon({ id: 'left', text: 'Last words' });
  dispatchEvent(new Event('pagehide'));
  expect(aside()).toEqual(['svc.unsaved.ada/drafts/left']);
  await vi.waitFor(() => expect(aside()).toEqual([]));
  expect(await kept('left')).toBe('Last words');
});

it('finds at the next start what was put aside, for who wrote it', async () => {
  putAside('ada', { id: 'aside', text: 'Last words', base: 'Before', at: 2 });
  putAside('bob', { id: 'aside', text: 'Of another', at: 3 });
  openDatabase('ada');
  expect(await readDraft('aside')).toMatchObject({ text: 'Last words', base: 'Before' });
  expect(aside()).toEqual(['svc.unsaved.bob/drafts/aside']);
});

it('keeps a draft that is newer than what was put aside', async () => {
  openDatabase('ada');
  await keep('drafts', { id: 'newer', text: 'Newer', at: 3 });
  // As another page of this browser.
  vi.resetModules();
  putAside('ada', { id: 'newer', text: 'Older', at: 2 });
  const next = await import('./database');
  next.openDatabase('ada');
  expect((await next.recall('drafts', 'newer'))?.text).toBe('Newer');
  expect(aside()).toEqual([]);
  await next.wipeDatabases();
});

it('does not bring back what was sent at the last moment, and keeps what is to be sent', async () => {
  openDatabase('ada');
  await keepTyped('drafts', { id: 'comment', text: 'Sent', at: 1 });
  const write = { id: 'w', kind: 'comment', lane: 'l', input: 'Sent', at: 2, tab: 'gone' };
  void keepTyped('writes', write);
  void forgetDraft('comment');
  dispatchEvent(new Event('pagehide'));
  const left = aside().map((name) => [name, localStorage.getItem(name)] as const);
  await vi.waitFor(() => expect(aside()).toEqual([]));
  // The page ended before the database had either.
  await dropTyped('writes', 'w');
  await keepTyped('drafts', { id: 'comment', text: 'Sent', at: 1 });
  for (const [name, text] of left) localStorage.setItem(name, text ?? '');
  vi.resetModules();
  const next = await import('./database');
  next.openDatabase('ada');
  expect(await next.recall('drafts', 'comment')).toBeUndefined();
  expect(await next.recall('writes', 'w')).toEqual(write);
  expect(aside()).toEqual([]);
  await next.wipeDatabases();
});

it('writes nothing again of what was wiped or sent', async () => {
  openDatabase('ada');
  saveSoon({ id: 'wiped', text: 'Private' });
  await wipeDatabases();
  dispatchEvent(new Event('pagehide'));
  expect(aside()).toEqual([]);
  openDatabase('ada');
  await saveNow();
  saveSoon({ id: 'sent', text: 'Sent' });
  await forgetDraft('sent');
  dispatchEvent(new Event('pagehide'));
  await saveNow();
  expect(aside()).toEqual([]);
  expect([await kept('wiped'), await kept('sent')]).toEqual([undefined, undefined]);
});

it('writes nothing again after another tab has wiped it', async () => {
  openDatabase('ada');
  saveSoon({ id: 'elsewhere', text: 'Private' });
  await recall('drafts', 'any');
  await new Promise((done) => {
    indexedDB.deleteDatabase('svc.ada').onsuccess = done;
  });
  dispatchEvent(new Event('pagehide'));
  expect(aside()).toEqual([]);
});

it('puts nothing aside once another tab has signed the person out, also where nothing can be kept', async () => {
  const { open } = indexedDB;
  indexedDB.open = () => {
    throw new DOMException('no', 'SecurityError');
  };
  openDatabase('ada');
  saveSoon({ id: 'signed-out', text: 'Private' });
  await saveNow();
  closeDatabase();
  dispatchEvent(new Event('pagehide'));
  expect(aside()).toEqual([]);
  indexedDB.open = open;
});

it('puts aside what a database that does not open never took', async () => {
  const { open } = indexedDB;
  indexedDB.open = () => {
    throw new DOMException('no', 'SecurityError');
  };
  openDatabase('ada');
  saveSoon({ id: 'refused', text: 'Last words' });
  dispatchEvent(new Event('pagehide'));
  expect(aside()).toEqual(['svc.unsaved.ada/drafts/refused']);
  indexedDB.open = open;
});
