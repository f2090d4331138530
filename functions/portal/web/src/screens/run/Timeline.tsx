import type { Run } from '@/api/types';
import { cx } from '@/lib/class-names';
import { duration, exactly, serverNow } from '@/lib/times';
import { isLive } from '@/runs/live';
import { useMinute } from '@/ui/DateTime';
import styles from './run.module.css';
import { t } from './strings';

type StepName = 'queued' | 'assigned' | 'running' | 'ended';

/** The states that a run went through, with how long each took. */
export function Timeline({ run }: { run: Run }) {
  useMinute();
  const times: [StepName, string | null | undefined][] = [
    ['queued', run.queuedAt],
    ['assigned', run.assignedAt],
    ['running', run.startedAt],
    ['ended', run.finishedAt],
  ];
  const reached = times.filter((step): step is [StepName, string] => Boolean(step[1]));
  return (
    <ol className={styles.timeline} aria-label={t('timeline')}>
      {reached.map(([name, at], position) => {
        const next = reached[position + 1]?.[1];
        const end = next ? Date.parse(next) : isLive(run) ? serverNow() : undefined;
        const now = !next && isLive(run);
        return (
          <li key={name} className={cx(now && styles.now)}>
            <span>{t(`step_${name}`)}</span>
            <time dateTime={at} data-tip={exactly(at)} className="meta">
              {clock(at)}
            </time>
            <span className="meta tabular">
              {end !== undefined && name !== 'ended' ? duration(end - Date.parse(at)) : ''}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

const format = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

function clock(at: string): string {
  return format.format(Date.parse(at));
}
