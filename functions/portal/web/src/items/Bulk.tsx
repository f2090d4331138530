import { Suspense } from 'react';
import { lazyPart } from '@/lib/parts';
import type { BulkBarProps } from './BulkBar';

const Bar = lazyPart(() => import('./BulkBar'));

/** What can be done with several selected items, loaded with the first of them. */
export function BulkBar(props: BulkBarProps) {
  return <Suspense>{props.chosen.selection.size > 0 && <Bar {...props} />}</Suspense>;
}
