import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, expect, it } from 'vitest';
import { openDatabase, recall, recallAll, wipeDatabases } from './database';

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
