import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { changeHeaders, setAccountOfPage } from '@/api/account';
import { offline, ProblemError } from '@/api/problem';
import { keep, openDatabase, recallAll, wipeDatabases } from './database';
import { forgetWrites, pendingWrites, retryWrites, startOutbox, writeKind } from './outbox';

const sent: { text: string; as: string | undefined }[] = [];
let reachable = true;
const say = writeKind<string>('test.say', {
  show: () => {},
  async send({ input }) {
    if (!reachable) throw offline();
    sent.push({ text: input, as: changeHeaders()['X-Svc-Account'] });
  },
  refused: async () => false,
  settled: () => {},
});
const waits = () => vi.waitFor(async () => expect(await recallAll('writes')).toHaveLength(1));

beforeEach(async () => {
  await wipeDatabases();
  sent.length = 0;
  reachable = true;
  setAccountOfPage('ada');
  openDatabase('ada');
});

afterEach(() => {
  setAccountOfPage('ada');
  forgetWrites();
});

it('sends what waited once the service is back, as the account that wrote it', async () => {
  reachable = false;
  say('lane/back', 'hello');
  await waits();
  reachable = true;
  retryWrites();
  await vi.waitFor(() => expect(sent).toEqual([{ text: 'hello', as: 'ada' }]));
  await vi.waitFor(() => expect(pendingWrites()).toBe(0));
});

it('never sends what one person wrote as another', async () => {
  reachable = false;
  say('lane/other', 'from Ada');
  await waits();
  setAccountOfPage('bob');
  reachable = true;
  say('lane/bob', 'from Bob');
  retryWrites();
  await vi.waitFor(() => expect(sent).toEqual([{ text: 'from Bob', as: 'bob' }]));
  await vi.waitFor(() => expect(pendingWrites()).toBe(1));
  setAccountOfPage('ada');
  retryWrites();
  await vi.waitFor(() => expect(sent).toContainEqual({ text: 'from Ada', as: 'ada' }));
  await vi.waitFor(() => expect(pendingWrites()).toBe(0));
});

it('forgets what waits', async () => {
  reachable = false;
  say('lane/forgotten', 'gone');
  await waits();
  forgetWrites();
  expect(pendingWrites()).toBe(0);
  reachable = true;
  retryWrites();
  say('lane/forgotten', 'next');
  await vi.waitFor(() => expect(sent).toEqual([{ text: 'next', as: 'ada' }]));
});

it('takes over what a closed page left, also from before writes said whose they are', async () => {
  await keep('writes', { id: 'w1', kind: 'test.say', lane: 'a', input: 'old', at: 1, tab: 'gone' });
  await keep('writes', {
    id: 'w2',
    kind: 'test.say',
    lane: 'b',
    input: 'new',
    at: 2,
    tab: 'gone',
    account: 'ada',
  });
  await startOutbox();
  await vi.waitFor(() => expect(sent.map(({ text }) => text).sort()).toEqual(['new', 'old']));
});

it('comes back to a batch as one when the service was too busy for it, and refuses only what it refuses', async () => {
  const asked: string[][] = [];
  const refused = vi.fn(async () => false);
  const busy = { type: 'overloaded', title: 'Busy.', status: 503, traceId: '', errors: {} };
  const many = writeKind<string>('test.many', {
    show: () => {},
    send: async ({ input }) => void asked.push([input]),
    refused,
    settled: () => {},
    common: () => 'alike',
    async sendTogether(writes) {
      asked.push(writes.map(({ input }) => input));
      if (asked.length === 1) throw new ProblemError(busy, 0.01);
      return writes.map(({ input }) =>
        input === 'b' ? new ProblemError({ ...busy, type: 'no', status: 422 }) : undefined,
      );
    },
  });
  many.all(['a', 'b', 'c'].map((input) => ({ lane: `many/${input}`, input })));
  await vi.waitFor(() => expect(pendingWrites()).toBe(0));
  expect(asked).toEqual(Array(2).fill(['a', 'b', 'c']));
  expect(refused).toHaveBeenCalledTimes(1);
  expect(refused).toHaveBeenCalledWith(expect.objectContaining({ input: 'b' }), expect.anything());
});
