import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './popups.module.css';

export interface SheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/** What a sheet looks like. The page beside it stays usable on wide screens. */
export default function SheetPopup({ onClose, title, children }: SheetProps) {
  return (
    <Dialog.Root open modal={false} onOpenChange={(open) => !open && onClose()} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Viewport className={styles.sheetViewport}>
          <Dialog.Popup className={styles.sheet}>
            <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
            <div className={styles.sheetBody}>{children}</div>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
