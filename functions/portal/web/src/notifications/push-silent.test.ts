import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LONGEST, turnOn } from './push';

const KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';

let answer: (subscription: object) => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('Notification', { permission: 'granted', requestPermission: async () => 'granted' });
  const pushManager = {
    getSubscription: async () => null,
    subscribe: () => new Promise((resolve) => (answer = resolve)),
  };
  vi.stubGlobal('navigator', {
    userAgent: 'Firefox',
    serviceWorker: { register: async () => {}, ready: Promise.resolve({ pushManager }) },
  });
});
afterEach(() => vi.unstubAllGlobals());

it('does not wait for a push service that never answers, and ends what it answers too late', async () => {
  const failed = turnOn(KEY).catch((error: DOMException) => error.name);
  await vi.advanceTimersByTimeAsync(LONGEST - 1);
  const unsubscribe = vi.fn(async () => true);
  await vi.advanceTimersByTimeAsync(1);
  expect(await failed).toBe('TimeoutError');
  answer({ unsubscribe });
  await vi.advanceTimersByTimeAsync(0);
  expect(unsubscribe).toHaveBeenCalledOnce();
});
