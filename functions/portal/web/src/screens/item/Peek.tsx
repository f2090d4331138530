import { lazy, Suspense } from 'react';
import type { PeekProps } from './PeekPanel';

const PeekPanel = lazy(() => import('./PeekPanel'));

/** The item page beside the board or list, loaded when it is first wanted. */
export function Peek({ item, ...rest }: Omit<PeekProps, 'item'> & { item: string | undefined }) {
  if (!item) return null;
  return (
    <Suspense>
      <PeekPanel item={item} {...rest} />
    </Suspense>
  );
}
