import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Engine, type Told } from './engine';

const asked: (string | null)[] = [];
let answers: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  asked.length = 0;
  vi.stubGlobal('fetch', (_: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(headers['last-event-id'] ?? null);
    const answer = answers.shift();
    return Promise.resolve(answer === undefined ? new Response(null, { status: 404 }) : new Response(answer));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const short = (id: string) => `retry: 5000\nevent: changes\nid: ${id}\ndata: {"cursor":"${id}"}\n\n`;

/** Follows until the answers are used up, and says what the listener was told. */
async function follow(milliseconds: number): Promise<string[]> {
  const told: string[] = [];
  const say = (one: Told) => told.push(one.kind === 'event' ? one.id : one.kind);
  const stop = new Engine().listen({ topic: 'demo', url: '/stream', after: '1' }, say);
  await vi.advanceTimersByTimeAsync(milliseconds);
  stop();
  return told;
}

it('asks again when the service says, from where it was, and counts as connected meanwhile', async () => {
  answers = [short('2'), short('3'), short('4')];
  expect(await follow(4_900)).toEqual(['open', '2']);
  expect(asked).toEqual(['1']);
  answers = [short('2'), short('3'), short('4')];
  asked.length = 0;
  expect(await follow(10_500)).toEqual(['open', '2', '3', '4']);
  expect(asked).toEqual(['1', '2', '3']);
});

it('takes a stream that ends without a word about when to ask again for a lost one', async () => {
  answers = [short('2').replace('retry: 5000\n', '')];
  expect(await follow(400)).toEqual(['open', '2', 'lost']);
});
