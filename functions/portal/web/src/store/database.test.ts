import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, expect, it, vi } from 'vitest';
import { keep, openDatabase, recall, recallAll, wipeDatabases } from './database';

afterEach(wipeDatabases);

it('forgets the answers that an older version kept, with reasons of failed runs in them, and nothing else', async () => {
  const older = await openDB('svc.ada', 3, {
    upgrade(database) {
      for (const name of ['projects', 'changes', 'writes', 'drafts'])
        database.createObjectStore(name, { keyPath: 'id' });
      database.createObjectStore('answers', { keyPath: 'hash' });
    },
  });
  await older.put('answers', { hash: '["comments"]', key: [], answer: [{ failureDetail: 'CANARY' }], at: 1 });
  await older.put('projects', { id: 'demo/DEMO', snapshot: '1', cards: '[]', cursor: '1', missing: 0 });
  await older.put('drafts', { id: 'title/demo/DEMO-1', text: 'Typed', at: 1 });
  older.close();
  openDatabase('ada');
  expect(await recallAll('answers')).toEqual([]);
  expect(await recall('projects', 'demo/DEMO')).toBeDefined();
  expect((await recall('drafts', 'title/demo/DEMO-1'))?.text).toBe('Typed');
});

it('is opened again where the browser closed it, and for nobody else', async () => {
  const open = vi.spyOn(IDBFactory.prototype, 'open');
  openDatabase('ada');
  await recallAll('drafts');
  open.mock.results[0]?.value.result.close();
  await keep('drafts', { id: 'after', text: 'Typed', at: 1 });
  expect((await recall('drafts', 'after'))?.text).toBe('Typed');
  open.mock.results[1]?.value.result.close();
  const late = keep('drafts', { id: 'late', text: 'Of Ada', at: 2 });
  openDatabase('bob');
  await late;
  expect(await recallAll('drafts')).toEqual([]);
});
