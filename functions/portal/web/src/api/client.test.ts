import { afterEach, expect, it, vi } from 'vitest';
import { data, http, signals } from './client';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('says that the service is away once it answers nothing for long, and that it is back with its answer', async () => {
  vi.useFakeTimers();
  const told: boolean[] = [];
  const stop = signals.on('reachable', (reachable) => told.push(reachable));
  const waiting: ((answer: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => waiting.push(resolve)));
  const ask = () => data(http.GET('/api/v1/me'));

  const first = ask();
  await vi.advanceTimersByTimeAsync(7_000);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(told).toEqual([false]);
  waiting.shift()?.(Response.json({}));
  await first;
  expect(told).toEqual([false, true]);

  // One answer is late, and others come.
  const slow = ask();
  await vi.advanceTimersByTimeAsync(6_000);
  const quick = ask();
  waiting.pop()?.(Response.json({}));
  await quick;
  await vi.advanceTimersByTimeAsync(10_000);
  waiting.pop()?.(Response.json({}));
  await slow;
  expect(told).toEqual([false, true, true, true]);
  stop();
});
