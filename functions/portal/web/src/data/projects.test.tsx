import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { labelsQuery, useLabelColors } from './projects';

it('answers the same colours with every drawing, so that cards are not drawn again', () => {
  const client = new QueryClient();
  client.setQueryData(labelsQuery('acme', 'DEMO').queryKey, [{ name: 'Docs', color: '#0d9488' }] as never);
  const { result, rerender } = renderHook(() => useLabelColors('acme', 'DEMO'), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  const first = result.current;
  expect(first.get('docs')).toBe('#0d9488');
  rerender();
  expect(result.current).toBe(first);
});
