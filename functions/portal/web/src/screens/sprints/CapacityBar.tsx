import styles from './sprints.module.css';
import { t } from './strings';

/** How full a sprint is against its capacity. */
export function CapacityBar({
  estimate,
  capacity,
}: {
  estimate: number;
  capacity: number | null | undefined;
}) {
  if (!capacity) return <p className="meta tabular">{t('planned_', { estimate })}</p>;
  const over = estimate > capacity;
  const part = Math.min(1, estimate / capacity);
  return (
    <div className={styles.capacity} data-over={over || undefined}>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" className={styles.workBar} aria-hidden>
        <rect width="100" height="4" className={styles.workAll} />
        <rect width={part * 100} height="4" className={over ? styles.workOver : styles.workDone} />
      </svg>
      <p className="tabular">{t(over ? 'capacityOver' : 'capacity', { estimate, capacity })}</p>
    </div>
  );
}
