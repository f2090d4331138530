import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Engine, type Told } from './engine';

const asked: string[] = [];
/** What is answered to each address. A stream that is held back answers nothing, not even its status. */
let answers: (url: string, signal: AbortSignal) => Promise<Response>;

const heldBack = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
const changes = (cursor: string) =>
  Response.json({ cursor, items: [], removed: [], changed: [], reload: false });

let told: Told[] = [];
let stop = () => {};
const listen = () => {
  const subscription = { topic: 'demo', url: '/stream', poll: '/changes', after: 'c1' };
  stop = new Engine().listen(subscription, (one) => told.push(one));
};
const pollsOf = () => asked.filter((url) => url.startsWith('/changes'));

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  told = [];
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    asked.push(url);
    return answers(url, signal);
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('asks for the changes where something holds the stream back, and goes on from what it got', async () => {
  let at = 1;
  answers = (url, signal) => (url === '/stream' ? heldBack(signal) : Promise.resolve(changes(`c${++at}`)));
  listen();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(pollsOf()).toEqual([]);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(pollsOf().slice(0, 2)).toEqual(['/changes?after=c1', '/changes?after=c2']);
  expect(told.slice(0, 2)).toMatchObject([
    { kind: 'open', after: 'c1' },
    { kind: 'event', id: 'c2', data: { cursor: 'c2' } },
  ]);
  // The stream is tried again meanwhile, and nobody is told that the service is away.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.filter((url) => url === '/stream').length).toBeGreaterThan(1);
  expect(told.some(({ kind }) => kind === 'lost')).toBe(false);
});

it('asks for nothing beside a stream that lives, and tells of one that nothing answers', async () => {
  const alive = new ReadableStream({
    start: (controller) => {
      const beat = setInterval(() => controller.enqueue(new TextEncoder().encode(': here\n\n')), 15_000);
      setTimeout(() => clearInterval(beat), 120_000);
    },
  });
  answers = async () => new Response(alive);
  listen();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(pollsOf()).toEqual([]);
  stop();
  told = [];
  answers = () => Promise.reject(new Error('no network'));
  listen();
  await vi.advanceTimersByTimeAsync(50);
  expect(told).toMatchObject([{ kind: 'lost', status: 0 }]);
});

it('tells within seconds of a service that stands still, and when it goes on', async () => {
  let beat = () => {};
  const frozen = new ReadableStream({
    start: (controller) => {
      beat = () => controller.enqueue(new TextEncoder().encode(': here\n\n'));
    },
  });
  answers = (url, signal) => (url === '/stream' ? Promise.resolve(new Response(frozen)) : heldBack(signal));
  listen();
  await vi.advanceTimersByTimeAsync(15_000);
  beat();
  await vi.advanceTimersByTimeAsync(28_000);
  expect(told.map(({ kind }) => kind)).toEqual(['open', 'lost']);
  beat();
  await vi.advanceTimersByTimeAsync(10);
  expect(told.map(({ kind }) => kind)).toEqual(['open', 'lost', 'open']);
});
