import { lazy, type ReactNode, type RefObject, Suspense } from 'react';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Read out after the title. */
  description?: string;
  children: ReactNode;
  /** Buttons at its end. */
  foot?: ReactNode;
  wide?: boolean;
  /** Without head and padding; the title is for screen readers. */
  bare?: boolean;
  /** Whether Escape and a press beside it leave it open, as for a session that ended. */
  stays?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
}

const DialogPopup = lazy(() => import('./popups/DialogPopup'));
const SheetPopup = lazy(() => import('./popups/SheetPopup'));

/** A dialog over the page. Focus returns to what opened it. */
export function Dialog(props: DialogProps) {
  return props.open ? (
    <Suspense>
      <DialogPopup {...props} />
    </Suspense>
  ) : null;
}

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/** A panel at the side, over the page; the whole screen on a phone. */
export function Sheet(props: SheetProps) {
  return props.open ? (
    <Suspense>
      <SheetPopup {...props} />
    </Suspense>
  ) : null;
}
