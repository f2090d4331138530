import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Item, Run } from '@/api/types';
import { type Access, useAccess, useItemAccess } from '@/app/access';
import { runsQuery } from '@/data/factory';
import { workflowQuery } from '@/data/projects';
import { AcceptButton } from '@/items/AcceptButton';
import { isOver } from '@/items/states';
import { address } from '@/lib/address';
import { plain, projectOf } from '@/lib/text';
import { serverNow } from '@/lib/times';
import type { Turn } from '@/runs/card-turn';
import { toMend, toReview } from '@/runs/needs';
import { RunActions } from '@/runs/RunActions';
import { RunChip } from '@/runs/RunChip';
import { TurnChip } from '@/runs/TurnChip';
import { useTurns } from '@/runs/turn';
import { useCard } from '@/store/hooks';
import { graphOf } from '@/store/live';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import styles from './home.module.css';
import { Section } from './ItemRows';
import { t } from './strings';
import { FILTERS, workQuery } from './work';

const MOST = 8;

interface Needs {
  /** What waits for an answer first, then finished work, then what failed. */
  runs: Run[];
  turns: ReadonlyMap<string, Turn>;
  items: ReadonlyMap<string, Item>;
}

/** Refinements that wait, work that agents finished and runs that failed, for who may start and mend it. */
export function useNeeds(slug: string): Needs {
  const { operate } = useAccess(slug);
  const { data: page } = useQuery({ ...runsQuery(slug, { pageSize: 100 }), enabled: operate });
  const runs = page?.items ?? [];
  const any = runs.length > 0;
  const { data: open } = useQuery({
    ...workQuery(slug, FILTERS.open, '-updated', 1, 100),
    enabled: operate && any,
  });
  const turns = useTurns(slug, runs);
  const waiting = new Map(turns.map(([run, turn]) => [run.id, turn]));
  const now = serverNow();
  const others = [...toReview(runs, open?.items ?? [], now), ...toMend(runs, now)];
  return {
    runs: [...turns.map(([run]) => run), ...others.filter(({ id }) => !waiting.has(id))],
    turns: waiting,
    items: new Map(open?.items.map((item) => [item.key, item])),
  };
}

interface NeedsYouProps extends Needs {
  slug: string;
  /** Shows what a run changed beside the list. */
  onChanges: (run: Run) => void;
}

export function NeedsYou({ slug, runs: all, turns, items, onChanges }: NeedsYouProps) {
  const [shown, show] = useState(MOST);
  if (all.length === 0) return null;
  const left = all.length - shown;
  return (
    <Section id="needs" title={t('needsYou')} total={all.length}>
      <ul>
        {all.slice(0, shown).map((run) => (
          <Need
            key={run.id}
            slug={slug}
            run={run}
            turn={turns.get(run.id)}
            item={items.get(run.item)}
            onChanges={onChanges}
          />
        ))}
      </ul>
      {left > 0 && (
        <Button size="small" kind="ghost" className={styles.more ?? ''} onClick={() => show(all.length)}>
          {t('more', { n: left })}
        </Button>
      )}
    </Section>
  );
}

interface NeedProps {
  slug: string;
  run: Run;
  turn: Turn | undefined;
  item: Item | undefined;
  onChanges: (run: Run) => void;
}

/** An agent's finished work that nobody accepted. */
function isDone(run: Run, turn: Turn | undefined): boolean {
  return run.status === 'succeeded' && !turn;
}

/** What waits, and what can be decided about it here. Accepted work is gone at once. */
function Need(props: NeedProps) {
  const { slug, run, turn, item } = props;
  const card = useCard(graphOf(slug, run.project), run.item);
  if (isDone(run, turn) && item && card && card.version >= item.version && isOver(card)) return null;
  return (
    <li className={styles.need}>
      <NeedLink {...props} />
      <Actions {...props} />
    </li>
  );
}

/**
 * A refinement that waits leads to its page, a finished run to its item, where it is accepted, and a failed one to its
 * own, which says how to mend it.
 */
function NeedLink({ slug, run, turn, item }: NeedProps) {
  const done = isDone(run, turn);
  const at = `/o/${slug}/p/${run.project}/items/${run.item}`;
  const href = turn ? `${at}/refine` : done ? at : `/o/${slug}/factory/runs/${run.id}`;
  return (
    <Link {...address(href)} className={styles.row} data-work={run.item} data-run={done ? run.id : undefined}>
      <span className={styles.glyph}>
        <Avatar name={run.agent.name} agent size={16} decorative />
      </span>
      <span className={styles.key}>{run.item}</span>
      <span className={`${styles.title} truncate`}>
        {done ? t('reviews', { title: plain(item?.title ?? '') }) : plain(item?.title ?? run.playbook.name)}
      </span>
      <span className={styles.chip}>{turn ? <TurnChip turn={turn} /> : <RunChip run={run} operator />}</span>
      <span className={styles.when}>
        <DateTime at={run.finishedAt ?? run.queuedAt} />
      </span>
    </Link>
  );
}

/** What is decided without leaving the list. */
function Actions({ slug, run, turn, item, onChanges }: NeedProps) {
  const access = useItemAccess(slug, run.project);
  const { start, frozen } = access;
  if (turn) return null;
  if (!isDone(run, turn))
    return start ? (
      <span className={styles.actions}>
        <RunActions run={run} refusal={frozen} listed />
      </span>
    ) : null;
  return (
    <span className={styles.actions}>
      <Button size="small" kind="ghost" data-tip-keys="d" onClick={() => onChanges(run)}>
        {t('changes')}
      </Button>
      {item && <Accept slug={slug} item={item} access={access} />}
    </span>
  );
}

/** Accepts it as its own page does, without opening its project. */
function Accept({ slug, item, access }: { slug: string; item: Item; access: Access }) {
  const { data: workflow } = useQuery(workflowQuery(slug, projectOf(item.key)));
  return workflow && <AcceptButton slug={slug} item={item} workflow={workflow} access={access} short />;
}
