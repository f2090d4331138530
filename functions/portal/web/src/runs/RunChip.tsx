import { Ban, Check, CircleDashed, Clock, Hourglass, LoaderCircle, type LucideIcon, X } from 'lucide-react';
import type { Run } from '@/api/types';
import { cx } from '@/lib/class-names';
import { useMinute } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { explain } from './explain';
import styles from './RunChip.module.css';

/** The shape of a run's state, so that no colour has to say it. */
function runIcon(run: Pick<Run, 'status' | 'scheduledFor'>): LucideIcon {
  switch (run.status) {
    case 'queued':
      return run.scheduledFor ? Clock : CircleDashed;
    case 'assigned':
    case 'running':
      return LoaderCircle;
    case 'succeeded':
      return Check;
    case 'failed':
      return X;
    case 'timedOut':
      return Hourglass;
    default:
      return Ban;
  }
}

/** A run in a few words: shape, state, and why or how long. */
export function RunChip({ run, operator, bare }: { run: Run; operator: boolean; bare?: boolean }) {
  useMinute();
  const { tone, word, note } = explain(run, { operator });
  return (
    <span className={cx(styles.chip, styles[tone], bare && styles.bare)}>
      <Icon of={runIcon(run)} size={12} className={run.status === 'running' ? styles.turning : undefined} />
      <span className="truncate">
        {note ? `${word} ${run.status === 'queued' || run.status === 'failed' ? '· ' : ''}${note}` : word}
      </span>
    </span>
  );
}
