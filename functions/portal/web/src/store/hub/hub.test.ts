import { afterEach, beforeEach, expect, it, vi } from 'vitest';

class Worker extends EventTarget {
  static made: Worker[] = [];
  readonly said: unknown[] = [];
  readonly port = {
    onmessage: (_event: unknown) => {},
    postMessage: (said: unknown) => void this.said.push(said),
  };

  constructor() {
    super();
    Worker.made.push(this);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('SharedWorker', Worker);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('starts the shared worker again whose file did not come, and asks it for what the tab listens to', async () => {
  const { theHub } = await import('./hub');
  const heard: unknown[] = [];
  const stop = theHub().listen({ topic: 'left', url: '/left', after: undefined }, () => {});
  theHub().listen({ topic: 'acme', url: '/acme', after: '7' }, (told) => heard.push(told));
  stop();
  Worker.made[0]?.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(60_000);
  const [, next] = Worker.made;
  expect(Worker.made).toHaveLength(2);
  expect(next?.said).toMatchObject([
    { do: 'hello' },
    { do: 'listen', topic: 'acme', url: '/acme', after: '7' },
  ]);
  const told = { topic: 'acme', kind: 'lost', status: 0 };
  next?.port.onmessage({ data: told });
  expect(heard).toEqual([told]);
});
