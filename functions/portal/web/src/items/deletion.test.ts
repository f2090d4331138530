import { afterEach, expect, it, vi } from 'vitest';
import type { Access } from '@/app/access';
import type { Card } from '@/store/feed';
import { graphOf } from '@/store/live';
import { undo } from '@/store/undo';
import { deleteItem, deleteRefusal, mayDelete } from './deletion';

const place = { slug: 'acme', project: 'DEMO' };
const person = (id: string) => ({ id, name: id, agent: false });
const item = {
  key: 'DEMO-1',
  version: 3,
  title: 'Greet',
  labels: [],
  createdBy: person('ada'),
} as never as Card;
const access = (some: Partial<Access>): Access => ({
  administer: false,
  configure: false,
  write: true,
  move: true,
  comment: true,
  remove: false,
  operate: false,
  start: false,
  frozen: undefined,
  ...some,
});

afterEach(() => vi.unstubAllGlobals());

it('lets Admins and the person who created an item delete it', () => {
  expect(mayDelete(access({}), 'ada', item)).toBe(true);
  expect(mayDelete(access({}), 'bo', item)).toBe(false);
  expect(mayDelete(access({ remove: true }), 'bo', item)).toBe(true);
  expect(mayDelete(access({ write: false }), 'ada', item)).toBe(false);
});

it('says why an item cannot be deleted now', () => {
  const claim = { holder: 'bo', holderName: 'Bo', agent: false, stale: false };
  expect(deleteRefusal(item, 'ada', undefined)).toBeUndefined();
  expect(deleteRefusal(item, 'ada', 'Archived.')).toBe('Archived.');
  expect(deleteRefusal({ ...item, claim } as never, 'ada', undefined)).toContain('Bo');
  expect(deleteRefusal({ ...item, claim } as never, 'bo', undefined)).toBeUndefined();
  expect(
    deleteRefusal({ ...item, claim: { ...claim, stale: true } } as never, 'ada', undefined),
  ).toBeUndefined();
});

it('takes a deleted item off the screen, and brings it back', async () => {
  const graph = graphOf(place.slug, place.project);
  graph.confirm(item);
  const answers = [
    new Response(null, { status: 204 }),
    new Response(JSON.stringify({ ...item, version: 5 }), {
      status: 200,
      headers: { 'content-type': 'application/json' },
    }),
  ];
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => answers.shift()),
  );
  await deleteItem(place, 'DEMO-1');
  expect(graph.card('DEMO-1')).toBeUndefined();
  expect(undo()).toContain('DEMO-1');
  await vi.waitFor(() => expect(graph.card('DEMO-1')?.version).toBe(5));
});
