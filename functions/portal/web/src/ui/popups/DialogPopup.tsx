import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { cx } from '@/lib/class-names';
import { IconButton } from '../Button';
import { t } from '../strings';
import styles from './popups.module.css';

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

/** Where a form begins. */
const FIELDS = ':is(input:not([type=checkbox], [type=radio]), select, textarea):not(:disabled)';

/** What a dialog looks like, and where the focus begins: in its first field, where there is one. */
export default function DialogPopup(props: DialogProps) {
  const { onClose, title, description, children, foot, wide, bare, stays, initialFocus } = props;
  const change = (open: boolean) => {
    if (!open && !stays) onClose();
  };
  const body = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const back = useReturn(popup);
  // Touch would raise the keyboard over what the dialog says.
  const first = (how: string) =>
    how === 'touch' || (body.current?.querySelector<HTMLElement>(FIELDS) ?? true);
  return (
    <Dialog.Root open onOpenChange={change} disablePointerDismissal={stays ?? false}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup
            ref={popup}
            finalFocus={back}
            className={cx(styles.dialog, wide && styles.wide, bare && styles.bare)}
            initialFocus={initialFocus ?? first}
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
            <div ref={body} className={bare ? undefined : styles.body}>
              {children}
            </div>
            {foot && <footer className={styles.foot}>{foot}</footer>}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Where the focus goes when the dialog closes: to what had it before, or into the page where nothing had. It is noted
 * before anything is drawn, because a field of the dialog that takes the focus by itself has it once Base UI looks.
 */
function useReturn(popup: RefObject<HTMLElement | null>): () => HTMLElement | boolean {
  const [before] = useState(() => document.activeElement);
  return () => {
    const now = document.activeElement;
    const elsewhere = now !== null && now !== document.body && !popup.current?.contains(now);
    if (elsewhere) return false;
    if (before === document.body) return document.getElementById('content') ?? true;
    // Of an entry of a menu, which is gone by now, Base UI knows the menu's button.
    return before instanceof HTMLElement && before.isConnected ? before : true;
  };
}
