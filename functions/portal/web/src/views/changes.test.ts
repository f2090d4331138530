import { afterEach, expect, it, vi } from 'vitest';
import type { SavedView } from '@/api/types';
import { changeView, makeView } from './changes';

const place = { slug: 'acme', project: 'DEMO' };
const listed = { filter: 'type:bug', q: '', sort: '-assignee' };
const view = { id: 'v1', version: 4, name: 'Bugs', shared: true, filter: '' } as unknown as SavedView;
const bodies: unknown[] = [];
const paths: string[] = [];

vi.stubGlobal('fetch', async (request: Request) => {
  bodies.push(await request.json());
  paths.push(new URL(request.url).pathname);
  return new Response(JSON.stringify(view), { headers: { 'content-type': 'application/json' } });
});
afterEach(() => void bodies.splice(0));

it('saves what is shown under a name', async () => {
  await makeView(place, { name: ' Bugs ', shared: false }, listed);
  expect(bodies).toEqual([
    { name: 'Bugs', shared: false, filter: 'type:bug', q: null, sort: null, group: null, layout: null },
  ]);
});

it('says who sees a view only where that changes', async () => {
  await changeView(place, view, { named: { name: 'Open bugs', shared: true } });
  await changeView(place, view, { named: { name: 'Bugs', shared: false } });
  await changeView(place, view, { listed });
  expect(bodies).toEqual([
    { version: 4, name: 'Open bugs' },
    { version: 4, name: 'Bugs', shared: false },
    { version: 4, filter: 'type:bug', q: null, sort: null, group: null, layout: null },
  ]);
});

it('keeps those of an organization with how they are shown', async () => {
  const named = { name: 'Mine', shared: true };
  await makeView({ slug: 'acme', project: undefined }, named, { ...listed, group: 'state', layout: 'board' });
  expect(bodies[0]).toMatchObject({ shared: true, group: 'state', layout: 'board' });
  expect(paths.at(-1)).toBe('/api/v1/orgs/acme/views');
});
