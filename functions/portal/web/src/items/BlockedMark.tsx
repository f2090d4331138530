import { Ban } from 'lucide-react';
import { Icon } from '@/ui/Icon';
import styles from './BlockedMark.module.css';
import { t } from './strings';

/** Says on cards and rows that something else must happen first. */
export function BlockedMark() {
  return (
    <span role="img" className={styles.blocked} aria-label={t('blocked')} data-tip={t('blockedBadge')}>
      <Icon of={Ban} size={14} />
    </span>
  );
}
