import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ItemContext } from './context';
import { History } from './History';

const { read } = vi.hoisted(() => ({ read: vi.fn() }));
vi.mock('@/api/client', () => ({ http: { GET: read }, data: (answer: Promise<unknown>) => answer }));

const entry = (n: number) => ({
  id: `e${n}`,
  at: new Date(Date.UTC(2026, 10, 22, 12, 0, 0) + n * 1_000).toISOString(),
  actor: { id: 'u1', name: 'Ada', agent: false },
  action: 'transitioned',
  from: `State ${n}`,
  to: `State ${n + 1}`,
});

/** It ended with the 100th line, and did not say so. */
it('shows the whole history, a page at a time', async () => {
  read.mockImplementation(async (_, { params }) => {
    const { page, pageSize } = params.query;
    const items = Array.from({ length: 120 }, (_, n) => entry(119 - n));
    return { items: items.slice((page - 1) * pageSize, page * pageSize), totalCount: 120 };
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <History {...({ slug: 'acme', card: { key: 'PRJ-1' } } as ItemContext)} />
    </QueryClientProvider>,
  );
  const older = await screen.findByText('Show what happened before');
  expect(screen.queryByText(/State 0 /)).toBeNull();
  fireEvent.click(older);
  await screen.findByText(/State 0 /);
  expect(document.querySelector('button')).toBeNull();
  expect(document.querySelectorAll('li')).toHaveLength(120);
});
