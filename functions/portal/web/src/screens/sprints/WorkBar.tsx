import type { components } from '@/api/schema';
import styles from './sprints.module.css';
import { t } from './strings';

/** How much of the work is done, by remaining estimates where there are any, else by items. */
export function WorkBar({ work }: { work: components['schemas']['Work'] }) {
  const done = work.items - work.unfinished;
  const part = work.items === 0 ? 0 : done / work.items;
  const text = t('doneOf', { done, n: work.items });
  return (
    <svg
      className={styles.workBar}
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      role="img"
      aria-label={text}
    >
      <rect width="100" height="4" className={styles.workAll} />
      <rect width={part * 100} height="4" className={styles.workDone} />
    </svg>
  );
}

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
