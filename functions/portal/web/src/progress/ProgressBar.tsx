import styles from './progress.module.css';
import { t } from './strings';

interface ProgressBarProps {
  active: number;
  done: number;
  all: number;
}

/** How much of something is done, and how much is being worked on. */
export function ProgressBar({ active, done, all }: ProgressBarProps) {
  const part = (n: number) => `${all > 0 ? (100 * n) / all : 0}%`;
  const label = all > 0 ? t('progress', { done, n: all }) : t('noItems');
  return (
    <span className={styles.bar} role="img" aria-label={label} data-tip={label}>
      <i className={styles.done} style={{ width: part(done) }} />
      <i className={styles.active} style={{ width: part(active) }} />
    </span>
  );
}
