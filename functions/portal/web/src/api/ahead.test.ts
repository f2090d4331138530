import { afterEach, expect, it } from 'vitest';
import { askedAhead } from './ahead';

const PATH = '/api/v1/orgs/demo/projects/DEMO/board';
const request = (path: string, method = 'GET') => new Request(`http://localhost${path}`, { method });

afterEach(() => {
  globalThis.svcAhead = undefined;
});

it('hands out the answer to what was asked ahead, once and to nothing else', () => {
  const answer = Promise.resolve(new Response('{}'));
  globalThis.svcAhead = { path: PATH, answer };
  expect(askedAhead(request('/api/v1/me'))).toBeUndefined();
  expect(askedAhead(request(PATH, 'POST'))).toBeUndefined();
  expect(askedAhead(request(PATH))).toBe(answer);
  expect(askedAhead(request(PATH))).toBeUndefined();
});
