import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { announce } from '@/app/announcer';
import { IconButton } from './Button';
import styles from './CopyField.module.css';
import { t } from './strings';

/** A value to copy, in a field of its own. */
export function CopyField({ label, value, lines }: { label: string; value: string; lines?: boolean }) {
  return (
    <div className={styles.copy} role="group" aria-label={label}>
      <code className={lines ? styles.lines : styles.line} data-tip={label}>
        {value}
      </code>
      <CopyButton value={value} label={label} />
    </div>
  );
}

/** A button that copies a value and says so. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    announce(t('copied'));
  };
  return (
    <IconButton
      icon={copied ? Check : Copy}
      size="small"
      label={copied ? t('copied') : `${t('copy')}: ${label}`}
      onClick={() => void copy()}
    />
  );
}

/** A secret that the service shows once. */
export function SecretOnce({ label, value }: { label: string; value: string }) {
  return (
    <div className={styles.secret}>
      <p className={styles.warning}>{t('secretOnce')}</p>
      <CopyField label={label} value={value} />
    </div>
  );
}
