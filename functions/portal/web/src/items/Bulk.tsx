import { lazy, Suspense } from 'react';
import type { BulkBarProps } from './BulkBar';

const Bar = lazy(() => import('./BulkBar'));

/** What can be done with several selected items, loaded with the first of them. */
export function BulkBar(props: BulkBarProps) {
  return <Suspense>{props.chosen.selection.size > 0 && <Bar {...props} />}</Suspense>;
}
