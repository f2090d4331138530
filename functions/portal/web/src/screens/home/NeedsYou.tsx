import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Run } from '@/api/types';
import { useAccess } from '@/app/access';
import { runsQuery } from '@/data/factory';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { serverNow } from '@/lib/times';
import { toMend, toReview } from '@/runs/needs';
import { RunChip } from '@/runs/RunChip';
import { Avatar } from '@/ui/Avatar';
import { DateTime } from '@/ui/DateTime';
import styles from './home.module.css';
import { t } from './strings';
import { workQuery } from './work';

const MOST = 8;

interface Needs {
  /** Finished work first, then what failed. */
  runs: Run[];
  titles: ReadonlyMap<string, string>;
}

/** Runs that failed and work that agents finished, for who may start and mend it. */
export function useNeeds(slug: string): Needs {
  const { operate } = useAccess(slug);
  const { data: page } = useQuery({ ...runsQuery(slug, { pageSize: 100 }), enabled: operate });
  const runs = page?.items ?? [];
  const any = runs.length > 0;
  const { data: open } = useQuery({ ...workQuery(slug, 'state:backlog,active'), enabled: operate && any });
  const now = serverNow();
  return {
    runs: [...toReview(runs, open?.items ?? [], now), ...toMend(runs, now)],
    titles: new Map(open?.items.map(({ key, title }) => [key, title])),
  };
}

export function NeedsYou({ slug, runs: all, titles }: Needs & { slug: string }) {
  if (all.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>
        {t('needsYou')} <span className={styles.count}>{all.length}</span>
      </h3>
      <ul>
        {all.slice(0, MOST).map((run) => (
          <li key={run.id}>
            <Need slug={slug} run={run} title={titles.get(run.item)} />
          </li>
        ))}
      </ul>
      {all.length > MOST && (
        <Link {...address(`/o/${slug}/factory`)} className={`link ${styles.all}`}>
          {t('allInFactory')}
        </Link>
      )}
    </section>
  );
}

/** A finished run leads to its item, where it is accepted; a failed one to its page, which says how to mend it. */
function Need({ slug, run, title }: { slug: string; run: Run; title: string | undefined }) {
  const done = run.status === 'succeeded';
  const href = done ? `/o/${slug}/p/${run.project}/items/${run.item}` : `/o/${slug}/factory/runs/${run.id}`;
  return (
    <Link {...address(href)} className={cx(styles.row, styles.need)}>
      <span className={styles.glyph}>
        <Avatar name={run.agent.name} agent size={16} decorative />
      </span>
      <span className={styles.key}>{run.item}</span>
      <span className={`${styles.title} truncate`}>
        {done ? t('reviews', { title: plain(title ?? '') }) : plain(title ?? run.playbook.name)}
      </span>
      <span className={styles.chip}>
        <RunChip run={run} operator />
      </span>
      <span className={styles.when}>
        <DateTime at={run.finishedAt ?? run.queuedAt} />
      </span>
    </Link>
  );
}
