import { QueryClientProvider } from '@tanstack/react-query';
import { configure, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { signals } from '@/api/client';
import type { Organization } from '@/api/types';
import { queries } from '@/store/queries';
import { OrganizationFrame } from './OrganizationFrame';

// A slow machine takes a while to load the page of a deleted organization.
configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 60_000 });

vi.mock('@tanstack/react-router', async (load) => ({
  ...(await load<object>()),
  useParams: () => ({ slug: 'acme' }),
  Outlet: () => 'All of it',
  Link: ({ children }: { children: string }) => children,
}));

const ACME = { id: 'acme', slug: 'acme', name: 'Acme', role: 'owner' } as Organization;
const SENTENCE = 'The organization was deleted. One of its Owners can restore it until tomorrow.';

/** What the service knows of Acme. */
let acme: 'there' | 'deleted' | 'hidden';
let role: Organization['role'];

function answer(path: string): [number, unknown] {
  if (path === '/api/v1/me') return [200, { id: 'ada', organizations: acme === 'there' ? [ACME] : [] }];
  if (path === '/api/v1/orgs') return [200, acme === 'deleted' ? [{ ...ACME, role }] : []];
  if (path === '/api/v1/orgs/acme/restore') {
    acme = 'there';
    return [200, ACME];
  }
  const problem = { title: 'Gone.', traceId: '', errors: {} };
  if (acme === 'deleted') return [410, { ...problem, type: 'deleted', status: 410, detail: SENTENCE }];
  return [404, { ...problem, type: 'not-found', status: 404 }];
}

beforeEach(async () => {
  role = 'owner';
  queries.clear();
  queries.setQueryData(['me'], { id: 'ada', organizations: [ACME] });
  vi.stubGlobal('fetch', async (request: Request) => {
    const [status, body] = answer(new URL(request.url).pathname);
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function show() {
  render(
    <QueryClientProvider client={queries}>
      <OrganizationFrame />
    </QueryClientProvider>,
  );
}

it('says of an organization that is deleted while it is open that it was, and restores it for an Owner', async () => {
  acme = 'there';
  show();
  await screen.findByText('All of it');
  acme = 'deleted';
  signals.emit('deleted', undefined);
  await screen.findByText(SENTENCE);
  expect(screen.queryByText('All of it')).toBeNull();
  (await screen.findByRole('button', { name: 'Restore Acme' })).click();
  await screen.findByText('All of it');
});

it('offers to restore it to nobody but Owners', async () => {
  acme = 'deleted';
  role = 'admin';
  queries.setQueryData(['me'], { id: 'ada', organizations: [] });
  show();
  await screen.findByText(SENTENCE);
  await screen.findByRole('heading', { name: 'Acme' });
  expect(screen.queryByRole('button', { name: /Restore/ })).toBeNull();
});

it('keeps what is open when only something in it was deleted', async () => {
  acme = 'there';
  show();
  signals.emit('deleted', undefined);
  await waitFor(() => expect(queries.isFetching()).toBe(0));
  expect(screen.getByText('All of it')).toBeTruthy();
});

it('says nothing of an organization that the person may not see', async () => {
  acme = 'hidden';
  queries.setQueryData(['me'], { id: 'ada', organizations: [] });
  show();
  await screen.findByText(/does not exist/);
});
