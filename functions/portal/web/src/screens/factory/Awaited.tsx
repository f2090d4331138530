import type { ReactNode } from 'react';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import styles from './factory.module.css';
import { t } from './strings';

interface AwaitedProps<Answer> {
  query: { data: Answer | undefined; error: unknown; refetch: () => unknown };
  /** Size of the list that is to come. */
  rows: number;
  height: number;
  /** Said in place of a list without entries. */
  none?: string;
  isEmpty?: (answer: Answer) => boolean;
  children: (answer: Answer) => ReactNode;
}

/** A list that is read from the service; until then, that it is on its way, or what went wrong. */
export function Awaited<Answer>(props: AwaitedProps<Answer>) {
  const { query, rows, height, none, isEmpty, children } = props;
  const { data, error, refetch } = query;
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <div className={styles.loading}>
        <Skeleton label={t('loading')} rows={rows} height={height} />
      </div>
    );
  }
  if (none !== undefined && isEmpty?.(data)) return <p className={styles.nothing}>{none}</p>;
  return children(data);
}
