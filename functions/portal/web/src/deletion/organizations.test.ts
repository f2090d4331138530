import { renderHook, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useToasts } from '@/ui/toasts';
import { placeWithout, restoreOrganization, tellDeleted } from './organizations';

it('leads from a deleted organization to another one, or to the page for who has none', () => {
  expect(placeWithout('acme', [{ slug: 'acme' }, { slug: 'demo' }])).toBe('/o/demo');
  expect(placeWithout('acme', [{ slug: 'acme' }])).toBe('/new-organization');
  expect(placeWithout('acme', [])).toBe('/new-organization');
});

it('says that an organization was deleted until it is restored', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 200 }));
  const { result } = renderHook(useToasts);
  const texts = () => result.current.map(({ text }) => text);
  tellDeleted('acme', 'Acme');
  await waitFor(() => expect(texts()).toEqual(['Acme deleted']));
  await restoreOrganization('acme', 'Acme');
  await waitFor(() => expect(texts()).toEqual(['Acme restored']));
  vi.unstubAllGlobals();
});
