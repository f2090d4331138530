import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cx } from '@/lib/class-names';
import { Button, IconButton } from './Button';
import { t } from './strings';
import styles from './Toasts.module.css';
import { dismiss, stay, type Toast, useToasts } from './toasts';

/** The corner that toasts are shown in. Time stops while the pointer or the focus is on one. */
export function Toasts() {
  const toasts = useToasts();
  return (
    <section className={styles.corner} aria-live="polite" aria-label={t('dismiss')} data-toasts>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || toast.stays) return undefined;
    const timer = setTimeout(() => dismiss(toast.id), stay(toast));
    return () => clearTimeout(timer);
  }, [held, toast]);
  const { action } = toast;
  return (
    <div
      role={toast.tone === 'bad' ? 'alert' : undefined}
      className={cx(styles.toast, toast.tone === 'bad' && styles.bad)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={styles.text}>
        <p>{toast.text}</p>
        {toast.detail && <p className={styles.detail}>{toast.detail}</p>}
      </div>
      {action && (
        <Button
          size="small"
          onClick={() => {
            dismiss(toast.id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton icon={X} size="small" label={t('dismiss')} onClick={() => dismiss(toast.id)} />
    </div>
  );
}
