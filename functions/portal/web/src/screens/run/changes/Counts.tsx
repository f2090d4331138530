import styles from './changes.module.css';
import { t } from './strings';

/** Lines added and removed, as signs for the eye and as words for the ear. */
export function Counts({ added, removed }: { added: number | null; removed: number | null }) {
  if (added === null || removed === null) return null;
  return (
    <span className={styles.counts}>
      <span aria-hidden className={styles.plus}>
        +{added}
      </span>
      <span aria-hidden className={styles.minus}>
        −{removed}
      </span>
      <span className="visually-hidden">{t('lines', { added, removed })}</span>
    </span>
  );
}
