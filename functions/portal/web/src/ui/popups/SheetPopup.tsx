import { Dialog } from '@base-ui/react/dialog';
import type { SheetProps } from '../Dialog';
import styles from './popups.module.css';

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
