import { expect, it } from 'vitest';
import { typedClient } from './typed';

/** A client that keeps what it was asked to send, and answers the same each time. */
function asking(answer: () => Response) {
  const sent: Request[] = [];
  const client = typedClient<Record<string, never>>('http://svc.test', async (request) => {
    sent.push(request);
    return answer();
  });
  const ask = client as unknown as Record<
    string,
    (path: string, asked?: object) => Promise<{ data?: unknown }>
  >;
  return { sent, ask };
}

it('fills paths and queries, and leaves out what has no value', async () => {
  const { sent, ask } = asking(() => Response.json({ found: 1 }));
  const params = {
    path: { slug: 'demo', path: 'Hand book/Größe?' },
    query: {
      q: 'a & b',
      page: 2,
      deleted: false,
      none: undefined,
      nothing: null,
      no: [],
      label: ['x', 'y z'],
    },
  };
  expect((await ask.GET?.('/orgs/{slug}/wiki/{path}', { params }))?.data).toEqual({ found: 1 });
  expect(sent[0]?.method).toBe('GET');
  expect(sent[0]?.url).toBe(
    'http://svc.test/orgs/demo/wiki/Hand%20book%2FGr%C3%B6%C3%9Fe%3F?q=a%20%26%20b&page=2&deleted=false&label=x&label=y%20z',
  );
});

it('sends bodies as JSON with the headers that are asked for, and takes an empty answer for none', async () => {
  const { sent, ask } = asking(() => new Response(null, { status: 204 }));
  const headers = { 'Idempotency-Key': 'one' };
  expect((await ask.POST?.('/items', { body: { title: 'Ä' }, headers }))?.data).toBeUndefined();
  expect(sent[0]?.headers.get('content-type')).toBe('application/json');
  expect(sent[0]?.headers.get('idempotency-key')).toBe('one');
  expect(await sent[0]?.json()).toEqual({ title: 'Ä' });
  await ask.DELETE?.('/items');
  expect(sent[1]?.headers.has('content-type')).toBe(false);
});

it('hands on what ends a request early', async () => {
  const { sent, ask } = asking(() => Response.json({}));
  const ended = new AbortController();
  await ask.GET?.('/items', { signal: ended.signal });
  ended.abort();
  expect(sent[0]?.signal.aborted).toBe(true);
});
