import 'fake-indexeddb/auto';
import { afterEach, expect, it, vi } from 'vitest';
import { reachQuery } from '@/data/reach';
import { openDatabase, recall } from '../database';
import { draftOf } from '../drafts';
import { forgetWrites, retryWrites } from '../outbox';
import { queries } from '../queries';
import { createComment, editComment } from './comment';
import { commentEvents } from './comment-events';

afterEach(() => vi.unstubAllGlobals());

const author = { id: 'u1', name: 'Ada', agent: false };

/** The service refuses everything with one problem. */
function refusing(type: string, errors: Record<string, string[]> = {}): Promise<{ kept: boolean }> {
  const problem = { type, title: 'No.', status: 422, traceId: '', errors };
  vi.stubGlobal('fetch', async () => Response.json(problem, { status: 422 }));
  return new Promise((resolve) => {
    const off = commentEvents.on('refused', (event) => {
      off();
      resolve(event);
    });
  });
}

it('keeps the text and the files of a refused comment', async () => {
  openDatabase('ada');
  const refused = refusing('organization-read-only');
  const input = {
    slug: 'acme',
    item: 'DEMO-1',
    body: 'Long',
    replyTo: 'c1',
    attachments: ['f1', 'f2'],
    author,
  };
  createComment('acme/DEMO-1/comments', input);
  expect((await refused).kept).toBe(true);
  expect((await recall('drafts', draftOf.comment('acme', 'DEMO-1', 'c1')))?.text).toBe('Long');
  expect((await recall('drafts', draftOf.commentFiles('acme', 'DEMO-1', 'c1')))?.text).toBe('f1 f2');
});

it('does not keep files that the service refused', async () => {
  openDatabase('ada');
  const refused = refusing('validation-failed', { attachments: ['There is no such file.'] });
  const input = { slug: 'acme', item: 'DEMO-2', body: 'See', replyTo: null, attachments: ['f1'], author };
  createComment('acme/DEMO-2/comments', input);
  await refused;
  expect((await recall('drafts', draftOf.comment('acme', 'DEMO-2')))?.text).toBe('See');
  expect(await recall('drafts', draftOf.commentFiles('acme', 'DEMO-2'))).toBeUndefined();
});

it('keeps the text of a refused edit', async () => {
  openDatabase('ada');
  const refused = refusing('validation-failed', { body: ['Too long.'] });
  editComment('acme/DEMO-3/c3', {
    slug: 'acme',
    item: 'DEMO-3',
    id: 'c3',
    version: 1,
    body: 'Longer',
    base: 'Before',
  });
  expect((await refused).kept).toBe(true);
  expect((await recall('drafts', draftOf.commentEdit('acme', 'DEMO-3', 'c3')))?.text).toBe('Longer');
});

it('is sent again under the same key when its answer breaks off, and is no draft meanwhile', async () => {
  openDatabase('ada');
  const keys: (string | null)[] = [];
  const broken = () =>
    new ReadableStream({ pull: (controller) => controller.error(new TypeError('network error')) });
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method !== 'POST') return Response.json({ items: [], totalCount: 0 });
    keys.push(request.headers.get('Idempotency-Key'));
    const headers = { 'content-type': 'application/json' };
    return keys.length === 1
      ? new Response(broken(), { status: 201, headers })
      : Response.json({ id: 'c1' }, { status: 201 });
  });
  const refused = vi.fn();
  const off = commentEvents.on('refused', refused);
  const input = { slug: 'acme', item: 'DEMO-3', body: 'Once', replyTo: null, attachments: [], author };
  createComment('acme/DEMO-3/comments', input);
  await vi.waitFor(() => expect(keys).toHaveLength(1));
  await vi.waitFor(() => {
    retryWrites();
    expect(keys).toHaveLength(2);
  });
  expect(keys[0]).toBe(keys[1]);
  expect(refused).not.toHaveBeenCalled();
  expect(await recall('drafts', draftOf.comment('acme', 'DEMO-3'))).toBeUndefined();
  off();
  forgetWrites();
});

it('keeps whom its mentions reached, until an edit says otherwise', async () => {
  openDatabase('ada');
  const nobody = { name: 'Sam', outcome: 'nobody', reason: 'Sam is not in DEMO, and is told nothing.' };
  vi.stubGlobal('fetch', async ({ method }: Request) =>
    Response.json(method === 'POST' ? { id: 'c9', reach: [nobody] } : { id: 'c9', items: [] }),
  );
  const reach = () => queries.getQueryData(reachQuery('c9').queryKey);
  const place = { slug: 'acme', item: 'DEMO-9' };
  createComment('acme/DEMO-9/comments', { ...place, body: '@Sam', replyTo: null, attachments: [], author });
  await vi.waitFor(() => expect(reach()).toEqual([nobody]));
  editComment('acme/DEMO-9/c9', { ...place, id: 'c9', version: 1, body: 'All', base: '@Sam' });
  await vi.waitFor(() => expect(reach()).toEqual([]));
});
