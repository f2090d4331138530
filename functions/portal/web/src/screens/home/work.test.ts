import { expect, it, vi } from 'vitest';
import { canQuery } from '@/data/projects';
import { queries } from '@/store/queries';
import { workQuery } from './work';

const can = { edit: false, comment: true, start: false, transition: false, delete: false, configure: false };

it('hands on what one may do in the projects of its items', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json({ items: [], page: 1, pageSize: 50, totalCount: 0, can: { DEMO: can } }),
  );
  await queries.fetchQuery(workQuery('demo', 'claimed:@me'));
  expect(queries.getQueryData(canQuery('demo', 'DEMO').queryKey)).toEqual(can);
  expect(queries.getQueryData(canQuery('demo', 'WEB').queryKey)).toBeUndefined();
});
