import { Suspense } from 'react';
import { lazyPart } from '@/lib/parts';
import type { DialogProps } from './popups/DialogPopup';
import type { SheetProps } from './popups/SheetPopup';

const DialogPopup = lazyPart(() => import('./popups/DialogPopup'));
const SheetPopup = lazyPart(() => import('./popups/SheetPopup'));

/** A dialog over the page. Focus returns to what opened it. */
export function Dialog(props: DialogProps) {
  return props.open ? (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  ) : null;
}

/** A panel at the side, over the page; the whole screen on a phone. */
export function Sheet(props: SheetProps) {
  return props.open ? (
    <Suspense>
      <SheetPopup {...props} />
    </Suspense>
  ) : null;
}
