import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Organization } from '@/api/types';
import { deletedOrganizationsQuery } from '@/data/organizations';
import { DeletedOrganizations } from './DeletedOrganizations';

function organization(slug: string, role: Organization['role']): Organization {
  const by = { id: 'user', name: 'Ada', agent: false };
  const deletion = { by, at: '2026-01-05T09:00:00Z', restorableUntil: '2026-02-04T09:00:00Z' };
  const name = slug.toUpperCase();
  return { id: slug, slug, name, role, canOperateFactory: false, readOnly: false, version: 1, deletion };
}

function show(...organizations: Organization[]) {
  const client = new QueryClient();
  client.setQueryData(deletedOrganizationsQuery.queryKey, organizations);
  return render(
    <QueryClientProvider client={client}>
      <DeletedOrganizations />
    </QueryClientProvider>,
  );
}

it('offers to restore what the person owned, and tells others until when an Owner can', () => {
  show(organization('acme', 'owner'), organization('demo', 'admin'));
  expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Restore ACME',
  ]);
  expect(screen.getByText('Deleted by Ada')).toBeTruthy();
  expect(screen.getByText('Deleted by Ada. One of its Owners can restore it.')).toBeTruthy();
  expect(screen.getAllByText(/^Until .*Feb/)).toHaveLength(2);
});

it('shows nothing where nothing was deleted', () => {
  expect(show().container.childElementCount).toBe(0);
});
