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
import { TurnChip } from '@/runs/TurnChip';
import { type Turn, useTurns } from '@/runs/turn';
import { Avatar } from '@/ui/Avatar';
import { DateTime } from '@/ui/DateTime';
import styles from './home.module.css';
import { t } from './strings';
import { workQuery } from './work';

const MOST = 8;

interface Needs {
  /** What waits for an answer first, then finished work, then what failed. */
  runs: Run[];
  turns: ReadonlyMap<string, Turn>;
  titles: ReadonlyMap<string, string>;
}

/** Refinements that wait, work that agents finished and runs that failed, for who may start and mend it. */
export function useNeeds(slug: string): Needs {
  const { operate } = useAccess(slug);
  const { data: page } = useQuery({ ...runsQuery(slug, { pageSize: 100 }), enabled: operate });
  const runs = page?.items ?? [];
  const any = runs.length > 0;
  const { data: open } = useQuery({ ...workQuery(slug, 'state:backlog,active'), enabled: operate && any });
  const turns = useTurns(slug, runs);
  const waiting = new Map(turns.map(([run, turn]) => [run.id, turn]));
  const now = serverNow();
  const others = [...toReview(runs, open?.items ?? [], now), ...toMend(runs, now)];
  return {
    runs: [...turns.map(([run]) => run), ...others.filter(({ id }) => !waiting.has(id))],
    turns: waiting,
    titles: new Map(open?.items.map(({ key, title }) => [key, title])),
  };
}

export function NeedsYou({ slug, runs: all, turns, titles }: Needs & { slug: string }) {
  if (all.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>
        {t('needsYou')} <span className={styles.count}>{all.length}</span>
      </h3>
      <ul>
        {all.slice(0, MOST).map((run) => (
          <li key={run.id}>
            <Need slug={slug} run={run} turn={turns.get(run.id)} title={titles.get(run.item)} />
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

interface NeedProps {
  slug: string;
  run: Run;
  turn: Turn | undefined;
  title: string | undefined;
}

/**
 * A refinement that waits leads to its page, a finished run to its item, where it is accepted, and a failed one to its
 * own, which says how to mend it.
 */
function Need({ slug, run, turn, title }: NeedProps) {
  const done = run.status === 'succeeded' && !turn;
  const item = `/o/${slug}/p/${run.project}/items/${run.item}`;
  const href = turn ? `${item}/refine` : done ? item : `/o/${slug}/factory/runs/${run.id}`;
  return (
    <Link {...address(href)} className={cx(styles.row, styles.need)}>
      <span className={styles.glyph}>
        <Avatar name={run.agent.name} agent size={16} decorative />
      </span>
      <span className={styles.key}>{run.item}</span>
      <span className={`${styles.title} truncate`}>
        {done ? t('reviews', { title: plain(title ?? '') }) : plain(title ?? run.playbook.name)}
      </span>
      <span className={styles.chip}>{turn ? <TurnChip turn={turn} /> : <RunChip run={run} operator />}</span>
      <span className={styles.when}>
        <DateTime at={run.finishedAt ?? run.queuedAt} />
      </span>
    </Link>
  );
}
