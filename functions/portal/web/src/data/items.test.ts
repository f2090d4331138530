import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { commentsQuery } from './items';

afterEach(() => vi.unstubAllGlobals());

it('keeps of an outcome comment nothing of why the run failed', async () => {
  const outcome = {
    id: '1',
    body: 'The run failed.',
    outcomeOf: 'run',
    failureReason: 'harness-crashed',
    failureDetail: 'CANARY: panicked at line 7.',
  };
  const page = { items: [outcome], totalCount: 1, page: 1, pageSize: 100 };
  vi.stubGlobal('fetch', async () => Response.json(page));
  const client = new QueryClient();
  const comments = await client.fetchQuery(commentsQuery('demo', 'DEMO-1'));
  expect(comments).toEqual([{ id: '1', body: 'The run failed.', outcomeOf: 'run' }]);
});
