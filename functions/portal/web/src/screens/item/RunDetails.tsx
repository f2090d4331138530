/** What everybody who sees an item may know of its runs. Prompt, log and failure reason are for factory operators. */
import type { Run } from '@/api/types';
import { plain } from '@/lib/text';
import { clockTime } from '@/lib/times';
import { explain } from '@/runs/explain';
import { figuresOf } from '@/runs/figures';
import { harnessName } from '@/runs/harnesses';
import { RunChip } from '@/runs/RunChip';
import { DateTime, useMinute } from '@/ui/DateTime';
import { Facts } from '@/ui/Section';
import styles from './aside.module.css';
import { t } from './strings';

/** What happened: an ended run in the service's own words, as it is told who is no operator. */
export function saidOf(run: Run): string {
  return plain(run.outcome ?? explain(run, { operator: false }).happened);
}

/** How long it took, what it used and its exit code; the rest unfolds. */
export function RunFigures({ run }: { run: Run }) {
  useMinute();
  return (
    <>
      <Facts of={figuresOf(run)} />
      <details className={styles.runMore}>
        <summary>{t('details')}</summary>
        <RunFacts run={run} />
      </details>
    </>
  );
}

/** An earlier run in a line, which unfolds to all that is told of it. */
export function FoldedRun({ run }: { run: Run }) {
  useMinute();
  return (
    <details className={styles.runMore}>
      <summary className={styles.earlier}>
        <RunChip run={run} operator={false} bare />
        <span className="meta truncate">{plain(run.playbook.name)}</span>
        <span className={`meta ${styles.push}`}>
          <DateTime at={run.finishedAt ?? run.queuedAt} />
        </span>
      </summary>
      <div className={styles.run}>
        <p className={styles.runText}>{saidOf(run)}</p>
        <Facts of={figuresOf(run)} />
        <RunFacts run={run} />
        <RequestLink run={run} />
      </div>
    </details>
  );
}

export function RequestLink({ run }: { run: Run }) {
  if (!run.pullRequest) return null;
  return (
    <a className="link" href={run.pullRequest} target="_blank" rel="noreferrer noopener">
      {t('openPr')}
    </a>
  );
}

function RunFacts({ run }: { run: Run }) {
  const time = (at: string | null | undefined) => at && <time dateTime={at}>{clockTime(at)}</time>;
  return (
    <Facts
      of={[
        [t('queuedAt'), time(run.queuedAt)],
        [t('assignedAt'), time(run.assignedAt)],
        [t('startedAt'), time(run.startedAt)],
        [t('finishedAt'), time(run.finishedAt)],
        [t('requestedBy'), plain(run.requestedBy.name)],
        [t('agent'), plain(run.agent.name)],
        [t('playbook'), plain(run.playbook.name)],
        [t('harness'), harnessName(run.harness)],
        [t('runner'), run.runner && plain(run.runner.name)],
        [t('branch'), plain(run.branch)],
      ]}
    />
  );
}
