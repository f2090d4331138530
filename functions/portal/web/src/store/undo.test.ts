/** Taking back just after the page was loaded anew: over cards that are older than the change, and before a change that was left. */
import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { setAccountOfPage } from '@/api/account';
import { setFields } from '@/items/actions';
import { keep, openDatabase, wipeDatabases } from './database';
import type { Card } from './feed';
import type { ItemChange } from './kinds/item';
import { graphOf } from './live';
import { pendingWrites, startOutbox } from './outbox';
import { forgetUndo, undo } from './undo';

const place = { slug: 'demo', project: 'DEMO' };
const graph = graphOf(place.slug, place.project);
const card = (more: Partial<Card> = {}) =>
  ({ key: 'DEMO-1', version: 1, title: 'One', priority: 'medium', labels: [], rank: 'a', ...more }) as Card;

/** The item as the service has it. */
let held: Card;

beforeEach(async () => {
  await wipeDatabases();
  setAccountOfPage('ada');
  openDatabase('ada');
  forgetUndo();
  held = card();
  graph.replace({ cards: [held], cursor: '1' });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method !== 'GET') {
      const { version, ...change } = await request.json();
      if (version !== held.version) {
        const problem = { type: 'stale-version', title: 'Stale.', status: 409, traceId: '', errors: {} };
        return Response.json(problem, { status: 409 });
      }
      held = { ...held, ...change, version: version + 1 };
    }
    return Response.json({ ...held, body: '' });
  });
});

const sent = () => vi.waitFor(() => expect(pendingWrites()).toBe(0));

it('takes a change back over a card that was kept before it', async () => {
  setFields(place, [card()], { priority: 'lowest' });
  await sent();
  expect(held).toMatchObject({ priority: 'lowest', version: 2 });

  // The page is loaded anew, and has not heard of its own change yet.
  graph.replace({ cards: [card()], cursor: '1' });
  undo();
  await sent();
  expect(held.priority).toBe('medium');
  expect(graph.card('DEMO-1')?.priority).toBe('medium');
});

it('takes a change back although the news of it comes in between', async () => {
  setFields(place, [card()], { priority: 'lowest' });
  await sent();
  graph.replace({ cards: [card()], cursor: '1' });
  undo();
  graph.apply({ cards: [held], removed: [], reload: false });
  await sent();
  expect(held.priority).toBe('medium');
});

it('leaves what somebody else set since the page was loaded', async () => {
  setFields(place, [card()], { priority: 'lowest' });
  await sent();
  const lowest = held;
  held = { ...held, priority: 'highest', version: 3 };
  graph.replace({ cards: [lowest], cursor: '1' });
  undo();
  await sent();
  expect(held.priority).toBe('highest');
});

it('sends what the page before left ahead of what takes it back', async () => {
  setFields(place, [card()], { priority: 'lowest' });
  await sent();
  // The service did not get it, and the page was loaded anew.
  held = card();
  graph.replace({ cards: [held], cursor: '1' });
  const input: ItemChange = {
    ...place,
    key: 'DEMO-1',
    show: { priority: 'lowest' },
    before: { priority: 'medium' },
    version: 1,
    request: { update: { priority: 'lowest' } },
  };
  const lane = 'demo/DEMO-1';
  await keep('writes', { id: 'left', kind: 'item.change', lane, input, at: 1, tab: 'gone', account: 'ada' });
  const started = startOutbox();
  undo();
  await started;
  expect(graph.card('DEMO-1')?.priority).toBe('medium');
  await sent();
  expect(held).toMatchObject({ priority: 'medium', version: 3 });
});
