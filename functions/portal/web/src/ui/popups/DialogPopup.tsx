import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { cx } from '@/lib/class-names';
import { IconButton } from '../Button';
import type { DialogProps } from '../Dialog';
import { t } from '../strings';
import styles from './popups.module.css';

/** What a dialog looks like. */
export default function DialogPopup(props: DialogProps) {
  const { onClose, title, description, children, foot, wide, bare, stays, initialFocus } = props;
  const change = (open: boolean) => {
    if (!open && !stays) onClose();
  };
  return (
    <Dialog.Root open onOpenChange={change} disablePointerDismissal={stays ?? false}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup
            className={cx(styles.dialog, wide && styles.wide, bare && styles.bare)}
            {...(initialFocus ? { initialFocus } : {})}
          >
            {bare ? (
              <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
            ) : (
              <header className={styles.head}>
                <Dialog.Title className={styles.title}>{title}</Dialog.Title>
                {!stays && (
                  <IconButton icon={X} size="small" label={t('close')} keys="escape" onClick={onClose} />
                )}
              </header>
            )}
            {description && (
              <Dialog.Description className="visually-hidden">{description}</Dialog.Description>
            )}
            <div className={bare ? undefined : styles.body}>{children}</div>
            {foot && <footer className={styles.foot}>{foot}</footer>}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
