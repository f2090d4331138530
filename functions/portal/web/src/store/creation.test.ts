import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import type { NewItem } from '@/api/types';
import { creationDrafts, readFields, returnCreation } from './creation';
import { keep, openDatabase, recall } from './database';

const refused: NewItem = {
  type: 'bug',
  title: 'Crash',
  body: 'On start.',
  priority: 'high',
  labels: ['one', 'two'],
  assignee: 'u1',
  due: '2026-03-12',
  parent: 'DEMO-3',
};

it('keeps every field of a refused item', async () => {
  openDatabase('ada');
  await returnCreation('acme', 'DEMO', refused);
  const drafts = creationDrafts('acme', 'DEMO');
  expect((await recall('drafts', drafts.title))?.text).toBe('Crash');
  expect((await recall('drafts', drafts.body))?.text).toBe('On start.');
  expect(readFields((await recall('drafts', drafts.fields))?.text ?? '')).toEqual({
    type: 'bug',
    template: '',
    priority: 'high',
    assignee: 'u1',
    labels: 'one, two',
    due: '2026-03-12',
    parent: 'DEMO-3',
  });
});

it('loses neither the refused item nor the one that is written after it', async () => {
  openDatabase('ada');
  const drafts = creationDrafts('acme', 'NEXT');
  await keep('drafts', { id: drafts.title, text: 'Another', at: 0 });
  await keep('drafts', { id: drafts.body, text: 'More.', at: 0 });
  await returnCreation('acme', 'NEXT', refused);
  expect((await recall('drafts', drafts.title))?.text).toBe('Another');
  expect((await recall('drafts', drafts.body))?.text).toBe('Crash\n\nOn start.\n\nMore.');
});

it('reads a draft that is none as nothing', () => {
  expect([readFields(''), readFields('{'), readFields('null')]).toEqual([{}, {}, {}]);
});
