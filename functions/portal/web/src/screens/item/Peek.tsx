import { Suspense } from 'react';
import { lazyPart } from '@/lib/parts';
import type { PeekProps } from './PeekPanel';

const PeekPanel = lazyPart(() => import('./PeekPanel'));

/** The item page beside the board or list, loaded when it is first wanted. */
export function Peek({ item, ...rest }: Omit<PeekProps, 'item'> & { item: string | undefined }) {
  if (!item) return null;
  return (
    <Suspense>
      <PeekPanel item={item} {...rest} />
    </Suspense>
  );
}
