import type { ReactNode } from 'react';
import styles from './progress.module.css';
import { t } from './strings';

interface Progress {
  active?: number;
  done: number;
  all: number;
}

/** How much of something is done, and how much is being worked on. */
export function ProgressBar({ active = 0, done, all }: Progress) {
  const part = (n: number) => `${all > 0 ? (100 * n) / all : 0}%`;
  const label = wordsOf({ done, all });
  return (
    <span className={styles.bar} role="img" aria-label={label} data-tip={label}>
      <i className={styles.done} style={{ width: part(done) }} />
      <i className={styles.active} style={{ width: part(active) }} />
    </span>
  );
}

/** The same in a row of a list: in words, then as a bar. */
export function progressFacts(progress: Progress): ReactNode[] {
  return [wordsOf(progress), <ProgressBar key="bar" {...progress} />];
}

function wordsOf({ done, all }: Progress): string {
  return all > 0 ? t('progress', { done, n: all }) : t('noItems');
}
