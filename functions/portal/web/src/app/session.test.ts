import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { accountOfPage } from '@/api/account';
import { data, http } from '@/api/client';
import type { Me } from '@/api/types';
import { recallAll } from '@/store/database';
import { createComment } from '@/store/kinds/comment';
import { pendingWrites } from '@/store/outbox';
import { begin, forgetEverything, startSession } from './session';

const loadPage = vi.hoisted(() => vi.fn());
vi.mock('@/lib/load-page', () => ({ loadPage }));

const ada = { id: 'a0', email: 'ada@example.com', organizations: [] } as unknown as Me;
const bob = { id: 'b0', email: 'bob@example.com', organizations: [] } as unknown as Me;
const author = { id: 'a0', displayName: 'Ada', agent: false, avatarKey: null };
const asked: { path: string; account: string | null }[] = [];
/** Whose session the browser has, as the service sees it. */
let session: Me | undefined;

vi.stubGlobal('fetch', async (request: Request) => {
  const account = request.headers.get('X-Svc-Account');
  const path = new URL(request.url).pathname;
  asked.push({ path, account });
  if (!session) return problem('unauthenticated', 401);
  if (account !== null && account !== session.id) return problem('other-account', 403);
  return Response.json(path.endsWith('/me') ? session : {});
});

function problem(type: string, status: number): Response {
  return Response.json({ type, status, title: type, traceId: '', errors: {} }, { status });
}

/** Ada writes a comment after her session has ended; it waits. */
async function leaveWaiting(): Promise<void> {
  session = undefined;
  createComment('item/DEMO-1', {
    slug: 'demo',
    item: 'DEMO-1',
    body: 'From Ada.',
    replyTo: null,
    attachments: [],
    author: author as never,
  });
  await vi.waitFor(() => expect(asked.filter(({ path }) => path.endsWith('/comments'))).toHaveLength(1));
  expect(pendingWrites()).toBe(1);
  asked.length = 0;
}

await startSession();

beforeEach(async () => {
  await forgetEverything();
  session = ada;
  await begin(ada);
  asked.length = 0;
  loadPage.mockClear();
});

it('sends what waited when the same person signs in again', async () => {
  await leaveWaiting();
  session = ada;
  await begin(ada);
  await vi.waitFor(() => expect(pendingWrites()).toBe(0));
  expect(asked.find(({ path }) => path.endsWith('/comments'))?.account).toBe('a0');
  expect(loadPage).not.toHaveBeenCalled();
});

it('sends nothing that waited when another person signs in, and loads the page anew', async () => {
  await leaveWaiting();
  session = bob;
  void begin(bob, '/o/demo');
  await vi.waitFor(() => expect(loadPage).toHaveBeenCalledWith('/o/demo'));
  expect(pendingWrites()).toBe(0);
  expect(await recallAll('writes')).toEqual([]);
  expect(localStorage.getItem('svc.user')).toBe('"b0"');
  expect(asked).toEqual([]);
  // What is still sent from the page that goes says whose it is.
  expect(accountOfPage()).toBe('a0');
});

it('loads the page anew when a change is refused because somebody else signed in', async () => {
  session = bob;
  await expect(data(http.POST('/api/v1/auth/logout'))).rejects.toMatchObject({ kind: 'other-account' });
  await vi.waitFor(() => expect(loadPage).toHaveBeenCalledOnce());
  expect(localStorage.getItem('svc.user')).toBe('"b0"');
});

it('loads the page anew when another account signs in in another tab', async () => {
  await leaveWaiting();
  const tab = new BroadcastChannel('svc.session');
  tab.postMessage({ account: 'a0' });
  tab.postMessage({ account: 'b0' });
  await vi.waitFor(() => expect(loadPage).toHaveBeenCalledOnce());
  expect(pendingWrites()).toBe(0);
  tab.close();
});

it('tells the other tabs who signed in', async () => {
  const heard: unknown[] = [];
  const tab = new BroadcastChannel('svc.session');
  tab.onmessage = ({ data }) => heard.push(data);
  session = bob;
  void begin(bob);
  await vi.waitFor(() => expect(heard).toEqual([{ account: 'b0' }]));
  tab.close();
});
