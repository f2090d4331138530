import { beforeEach, expect, it, vi } from 'vitest';
import { setAccountOfPage } from '@/api/account';
import { signals } from '@/api/client';
import type { OrgChanges } from '@/api/types';
import { forgetLocal, readLocal, writeLocal } from '@/lib/local';
import { loadPlace } from './feed';
import type { Subscription, Told } from './hub/engine';
import { connectionState, follow, forgetPlaces, heard, takePlace } from './organization';

const streams = vi.hoisted(() => ({
  opened: [] as Subscription[],
  tell: (_: Told) => {},
}));
vi.mock('./hub/hub', () => ({
  theHub: () => ({
    listen(subscription: Subscription, listener: (told: Told) => void) {
      streams.opened.push(subscription);
      streams.tell = listener;
      return () => {};
    },
  }),
}));
vi.mock('./feed', async (original) => ({ ...(await original<object>()), loadPlace: vi.fn() }));

const said: string[] = [];
heard.on('gap', ({ first }) => said.push(first ? 'begins' : 'gap'));
heard.on('changes', ({ changes }) => said.push(`changes to ${changes.cursor}`));

const changes = (cursor: string, more: Partial<OrgChanges> = {}) =>
  streams.tell({
    topic: 'demo',
    kind: 'event',
    name: 'changes',
    id: cursor,
    data: { cursor, reload: false, items: [], removed: [], changed: [], ...more },
  });
const open = (after?: string) => streams.tell({ topic: 'demo', kind: 'open', after });

let unfollow = () => {};
beforeEach(() => {
  unfollow();
  forgetPlaces();
  forgetLocal();
  setAccountOfPage('a0');
  streams.opened.length = 0;
  said.length = 0;
  vi.mocked(loadPlace).mockReset();
});

it('goes on from where this browser was, so that nothing between reading and listening is missed', () => {
  writeLocal('places', { demo: '7' });
  takePlace('demo');
  unfollow = follow('demo');
  expect(streams.opened).toMatchObject([{ topic: 'demo', after: '7' }]);
  expect(loadPlace).not.toHaveBeenCalled();
  open('7');
  changes('8');
  expect(said).toEqual(['begins', 'changes to 8']);
  expect(readLocal('places', {})).toEqual({ demo: '8' });
});

it('asks for its place before anything else where this browser never followed', async () => {
  vi.mocked(loadPlace).mockResolvedValue('3');
  takePlace('demo');
  await vi.waitFor(() => expect(said).toEqual(['gap']));
  unfollow = follow('demo');
  expect(streams.opened).toMatchObject([{ after: '3' }]);
  expect(loadPlace).toHaveBeenCalledTimes(1);
});

it('has what was asked for before its place was known read again', async () => {
  let answer = (_: string) => {};
  vi.mocked(loadPlace).mockReturnValue(new Promise((resolve) => (answer = resolve)));
  unfollow = follow('demo');
  expect(streams.opened).toEqual([]);
  answer('4');
  await vi.waitFor(() => expect(streams.opened).toMatchObject([{ after: '4' }]));
  expect(said).toEqual(['gap']);
});

it('follows all the same where there is no telling its place, and then reads everything again', async () => {
  vi.mocked(loadPlace).mockRejectedValue(new Error('offline'));
  unfollow = follow('demo');
  await vi.waitFor(() => expect(streams.opened).toHaveLength(1));
  open(undefined);
  changes('5');
  expect(said).toEqual(['gap']);
});

it('catches up with a stream that is ahead of it, and where too much has changed', () => {
  writeLocal('places', { demo: '7' });
  takePlace('demo');
  unfollow = follow('demo');
  open('9');
  changes('10', { reload: true });
  changes('11');
  expect(said).toEqual(['gap', 'gap', 'changes to 11']);
});

it('begins anew where the service does not take its place', () => {
  writeLocal('places', { demo: 'from another time' });
  takePlace('demo');
  unfollow = follow('demo');
  streams.tell({ topic: 'demo', kind: 'lost', status: 422 });
  expect(readLocal('places', {})).toEqual({});
  open(undefined);
  changes('1');
  expect(said).toEqual(['gap']);
});

it('goes on where it left off after a look at another organization', () => {
  writeLocal('places', { demo: '7' });
  takePlace('demo');
  follow('demo')();
  unfollow = follow('demo');
  changes('8');
  unfollow();
  unfollow = follow('demo');
  expect(streams.opened.at(-1)).toMatchObject({ after: '8' });
});

it('tells that what it follows was deleted, and is not offline when it is left', () => {
  const deleted = vi.fn();
  const off = signals.on('deleted', deleted);
  writeLocal('places', { demo: '7' });
  takePlace('demo');
  unfollow = follow('demo');
  streams.tell({ topic: 'demo', kind: 'lost', status: 0 });
  expect(connectionState()).toBe('offline');
  expect(deleted).not.toHaveBeenCalled();
  streams.tell({ topic: 'demo', kind: 'lost', status: 410 });
  expect(deleted).toHaveBeenCalledOnce();
  streams.tell({ topic: 'demo', kind: 'lost', status: 0 });
  unfollow();
  unfollow = () => {};
  expect(connectionState()).toBe('connecting');
  off();
});
