import { useEffect, useState } from 'react';
import styles from './Skeleton.module.css';

/** Grey bars of the final size, shown once loading has taken 200 ms. */
export function Skeleton({
  rows = 6,
  height = 32,
  label,
}: {
  rows?: number;
  height?: number;
  label: string;
}) {
  const late = useLate();
  return (
    <div
      role="status"
      aria-label={label}
      className={styles.skeleton}
      data-skeleton
      data-late={late || undefined}
    >
      {Array.from({ length: rows }, (_, row) => (
        <span
          key={row}
          className={styles.bar}
          style={{ height, width: `${[92, 78, 85, 64, 88, 71][row % 6]}%` }}
        />
      ))}
    </div>
  );
}

/** Whether 200 ms have passed: what loads faster shows nothing in between. */
function useLate(): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return late;
}
