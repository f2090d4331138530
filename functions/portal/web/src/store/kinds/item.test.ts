/** Changes of several items: sent in one request, settled one by one, and taken back as one, also by a page to come. */
import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { setAccountOfPage } from '@/api/account';
import type { BulkChange } from '@/api/types';
import { moveCards, setFields, setLabel } from '@/items/actions';
import { openDatabase, recallAll } from '../database';
import type { Card } from '../feed';
import { graphOf } from '../live';
import { pendingWrites, retryWrites } from '../outbox';
import { forgetUndo, undo, undoEvents } from '../undo';
import { itemEvents } from './item';

const place = { slug: 'demo', project: 'DEMO' };
const graph = graphOf(place.slug, place.project);
const workflow = {
  states: [
    { name: 'Backlog', group: 'backlog' },
    { name: 'Ready', group: 'ready' },
    { name: 'Done', group: 'closed' },
  ],
  moves: [
    { from: 'Backlog', to: 'Ready' },
    { from: 'Ready', to: 'Backlog' },
  ],
} as never;

function card(key: string, more: Partial<Card> = {}): Card {
  const base = { key, version: 1, title: key, state: 'Backlog', stateGroup: 'backlog', priority: 'medium' };
  return { ...base, labels: [], rank: key, ...more } as Card;
}

/** What was asked for, and what of it the service refuses. */
let asked: (BulkChange & { path: string })[] = [];
let stale = new Set<string>();
let reachable = true;

function serve(): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!reachable) throw new TypeError('offline');
    const path = new URL(request.url, 'http://svc.test').pathname.replace('/api/v1/orgs/demo/', '');
    const body = request.method === 'GET' ? {} : await request.json();
    if (request.method !== 'GET') asked.push({ path: `${request.method} ${path}`, ...body });
    const now = (key: string, change: Partial<Card>) => {
      const held = graph.baseOf(key) ?? card(key);
      return { ...held, ...change, body: '', version: held.version + 1 };
    };
    if (request.method === 'GET') return Response.json(now(path.split('/')[1] ?? '', { priority: 'lowest' }));
    if (!path.endsWith('/bulk')) return Response.json(now(path.split('/')[1] ?? '', body));
    const results = (body as BulkChange).items.map(({ key }) =>
      stale.has(key)
        ? { key, problem: { type: 'stale-version', title: 'Stale.', status: 409, traceId: '', errors: {} } }
        : { key, item: now(key, { ...body.change, ...(body.state && { state: body.state }) }) },
    );
    return Response.json({ results });
  });
}

const cards = () => graph.cards().slice();
const sent = () => vi.waitFor(() => expect(pendingWrites()).toBe(0));

beforeEach(() => {
  setAccountOfPage('ada');
  openDatabase('ada');
  forgetUndo();
  asked = [];
  stale = new Set();
  reachable = true;
  serve();
  graph.replace({
    cards: [card('DEMO-1'), card('DEMO-2', { priority: 'high' }), card('DEMO-3')],
    cursor: '1',
  });
});

it('sends one change of several items in one request, shown at once', async () => {
  const told = vi.fn();
  const stop = graph.subscribe(told);
  setFields(place, cards(), { priority: 'low' });
  expect(told).toHaveBeenCalledTimes(1);
  expect(cards().map(({ priority }) => priority)).toEqual(['low', 'low', 'low']);
  await sent();
  stop();
  expect(asked).toEqual([
    {
      path: 'POST projects/DEMO/items/bulk',
      items: ['DEMO-1', 'DEMO-2', 'DEMO-3'].map((key) => ({ key, version: 1 })),
      change: { priority: 'low' },
    },
  ]);
  expect(cards().map(({ priority, version }) => [priority, version])).toEqual(Array(3).fill(['low', 2]));
});

it('takes the whole back at once: alike what was alike', async () => {
  setFields(place, cards(), { priority: 'low' });
  await sent();
  asked = [];
  expect(undo()).toBe('3 items: priority changed');
  await sent();
  expect(cards().map(({ priority }) => priority)).toEqual(['medium', 'high', 'medium']);
  expect(asked.map(({ path, change }) => [path, change?.priority])).toEqual([
    ['POST projects/DEMO/items/bulk', 'medium'],
    ['PATCH items/DEMO-2', undefined],
  ]);
  expect(undo()).toBeUndefined();
});

it('is kept until it is sent, wherever it was asked for', async () => {
  reachable = false;
  const picker = { ...place, anchor: document.body, onDone: () => {} };
  setFields(picker, cards(), { priority: 'low' });
  await vi.waitFor(async () => expect(await recallAll('writes')).toHaveLength(3));
  reachable = true;
  retryWrites();
  await sent();
});

it('moves those that the workflow lets go', async () => {
  graph.confirm(card('DEMO-3', { state: 'Done', stateGroup: 'closed' }));
  moveCards(place, workflow, cards(), 'Ready');
  await sent();
  expect(asked.map(({ state, items }) => [state, items.map(({ key }) => key)])).toEqual([
    ['Ready', ['DEMO-1', 'DEMO-2']],
  ]);
  expect(undo()).toBe('2 items moved to Ready');
  await sent();
  expect(cards().map(({ state }) => state)).toEqual(['Backlog', 'Backlog', 'Done']);
});

it('says of which items somebody else was faster, and changes the others', async () => {
  stale = new Set(['DEMO-1']);
  const contested = vi.fn();
  const stop = itemEvents.on('contested', contested);
  setFields(place, cards(), { priority: 'low' });
  await sent();
  stop();
  expect(contested).toHaveBeenCalledTimes(1);
  expect(contested.mock.calls[0]?.[0]).toMatchObject({ now: { key: 'DEMO-1', priority: 'lowest' } });
  expect(cards().map(({ priority }) => priority)).toEqual(['lowest', 'low', 'low']);

  // What somebody else set is no change of one's own that could be taken back.
  stale.clear();
  asked = [];
  undo();
  await sent();
  expect(asked.map(({ path }) => path).sort()).toEqual(['PATCH items/DEMO-2', 'PATCH items/DEMO-3']);
});

it('offers nothing to take back where nothing was changed', async () => {
  stale = new Set(['DEMO-1', 'DEMO-2', 'DEMO-3']);
  const gone = vi.fn();
  const stop = undoEvents.on('gone', gone);
  setFields(place, cards(), { priority: 'low' });
  await sent();
  stop();
  expect(gone).toHaveBeenCalledTimes(1);
  expect(undo()).toBeUndefined();
});

it('waits for the service, and then sends them together', async () => {
  reachable = false;
  setFields(place, cards(), { priority: 'low' });
  await vi.waitFor(async () => expect(await recallAll('writes')).toHaveLength(3));
  reachable = true;
  retryWrites();
  await sent();
  expect(asked).toHaveLength(1);
});

it('sends what waits for an earlier change of its item by itself', async () => {
  const [first] = cards();
  if (first) setFields(place, [first], { title: 'Renamed' });
  setFields(place, cards(), { priority: 'low' });
  setFields(place, cards(), { estimate: 3 });
  await sent();
  expect(asked.map(({ path }) => path).sort()).toEqual([
    ...Array(3).fill('PATCH items/DEMO-1'),
    ...Array(2).fill('POST projects/DEMO/items/bulk'),
  ]);
});

// Modules that are loaded later are others after these, so they come last.
it('takes back after the page was loaded anew, for whoever did it', async () => {
  setLabel(place, cards(), 'web', true);
  await sent();
  asked = [];
  vi.resetModules();
  (await import('@/api/account')).setAccountOfPage('ada');
  (await import('../database')).openDatabase('ada');
  const anew = await import('../undo');
  expect(anew.undo()).toBe('3 items: labels changed');
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]).toMatchObject({ change: { labels: [] } });

  setFields(place, cards(), { priority: 'low' });
  await sent();
  vi.resetModules();
  (await import('@/api/account')).setAccountOfPage('bob');
  expect((await import('../undo')).undo()).toBeUndefined();
});

it('takes nothing older back by the next page when there was no room to keep the last change', async () => {
  setFields(place, cards(), { priority: 'low' });
  await sent();
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('Full.', 'QuotaExceededError');
  });
  setFields(place, cards(), { estimate: 3 });
  full.mockRestore();
  await sent();
  vi.resetModules();
  (await import('@/api/account')).setAccountOfPage('ada');
  expect((await import('../undo')).undo()).toBeUndefined();
  expect(undo()).toBe('3 items: estimate changed');
  await sent();
});
