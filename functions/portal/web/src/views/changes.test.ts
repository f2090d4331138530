import { afterEach, expect, it, vi } from 'vitest';
import type { SavedView } from '@/api/types';
import { changeView, makeView } from './changes';

const listed = { filter: 'type:bug', q: '', sort: '-assignee' };
const view = { id: 'v1', version: 4, name: 'Bugs', shared: true, filter: '' } as unknown as SavedView;
const bodies: unknown[] = [];

vi.stubGlobal('fetch', async (request: Request) => {
  bodies.push(await request.json());
  return new Response(JSON.stringify(view), { headers: { 'content-type': 'application/json' } });
});
afterEach(() => void bodies.splice(0));

it('saves what is shown under a name', async () => {
  await makeView('acme', 'DEMO', { name: ' Bugs ', shared: false }, listed);
  expect(bodies).toEqual([{ name: 'Bugs', shared: false, filter: 'type:bug', q: null, sort: null }]);
});

it('says who sees a view only where that changes', async () => {
  await changeView('acme', 'DEMO', view, { named: { name: 'Open bugs', shared: true } });
  await changeView('acme', 'DEMO', view, { named: { name: 'Bugs', shared: false } });
  await changeView('acme', 'DEMO', view, { listed });
  expect(bodies).toEqual([
    { version: 4, name: 'Open bugs' },
    { version: 4, name: 'Bugs', shared: false },
    { version: 4, filter: 'type:bug', q: null, sort: null },
  ]);
});
