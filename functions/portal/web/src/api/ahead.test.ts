import { afterEach, expect, it, vi } from 'vitest';
import { askedAhead } from './ahead';

const PATH = '/api/v1/orgs/demo/projects/DEMO/board';
const request = (path: string, method = 'GET') => new Request(`http://localhost${path}`, { method });

afterEach(() => {
  vi.unstubAllGlobals();
  globalThis.svcAhead = undefined;
});

it('hands out the answer to what was asked ahead, once and to nothing else', async () => {
  const answer = new Response('{}');
  globalThis.svcAhead = { path: PATH, answer: Promise.resolve(answer) };
  expect(askedAhead(request('/api/v1/me'))).toBeUndefined();
  expect(askedAhead(request(PATH, 'POST'))).toBeUndefined();
  expect(await askedAhead(request(PATH))).toBe(answer);
  expect(askedAhead(request(PATH))).toBeUndefined();
});

it('asks again what was refused ahead: it may have been restored since', async () => {
  const now = new Response('{}');
  vi.stubGlobal('fetch', async () => now);
  globalThis.svcAhead = { path: PATH, answer: Promise.resolve(new Response('{}', { status: 410 })) };
  expect(await askedAhead(request(PATH))).toBe(now);
});
