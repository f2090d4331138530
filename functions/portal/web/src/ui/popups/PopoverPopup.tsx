import { Popover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import styles from './popups.module.css';

interface PopoverPopupProps {
  anchor: RefObject<HTMLElement | null> | Element | null;
  label: string;
  align: 'start' | 'center' | 'end';
  onClose: () => void;
  children: ReactNode;
}

/** What opens at a popover's button. */
export default function PopoverPopup({ anchor, label, align, onClose, children }: PopoverPopupProps) {
  const element = anchor && 'current' in anchor ? anchor : { current: anchor as HTMLElement | null };
  return (
    <Popover.Root
      open
      onOpenChange={(open, details) => !open && !ownAnchor(details.event, element.current) && onClose()}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align={align} sideOffset={4} className={styles.positioner}>
          <Popover.Popup className={styles.popup} aria-label={label} finalFocus={element}>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** A press on the popover's own button is the button's to answer. */
function ownAnchor(event: Event, anchor: HTMLElement | null): boolean {
  return (
    event.type !== 'keydown' && event.target instanceof Node && (anchor?.contains(event.target) ?? false)
  );
}
