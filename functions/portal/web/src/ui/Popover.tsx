import { type ReactElement, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { ahead, lazyPart } from '@/lib/parts';

const PopoverPopup = lazyPart(() => import('./popups/PopoverPopup'));

interface PopoverProps {
  trigger: (props: {
    ref: RefObject<HTMLButtonElement | null>;
    'aria-haspopup': 'dialog';
    'aria-expanded': boolean;
    onClick: () => void;
    onPointerEnter: () => void;
  }) => ReactElement;
  /** Its accessible name. */
  label: string;
  children: (close: () => void) => ReactNode;
  align?: 'start' | 'center' | 'end';
  /** Opened from elsewhere, such as a key. */
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A small panel at a button, whose code is loaded when the button is pointed at or pressed. */
export function Popover({ trigger, label, children, align = 'start', ...controlled }: PopoverProps) {
  const [inner, setInner] = useState(false);
  const open = controlled.open ?? inner;
  const setOpen = controlled.onOpenChange ?? setInner;
  const anchor = useRef<HTMLButtonElement | null>(null);
  return (
    <>
      {trigger({
        ref: anchor,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        onClick: () => setOpen(!open),
        onPointerEnter: () => ahead(() => import('./popups/PopoverPopup')),
      })}
      {open && (
        <Suspense>
          <PopoverPopup anchor={anchor} label={label} align={align} onClose={() => setOpen(false)}>
            {children(() => setOpen(false))}
          </PopoverPopup>
        </Suspense>
      )}
    </>
  );
}
