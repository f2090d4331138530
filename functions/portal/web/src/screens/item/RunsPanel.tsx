import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Play, Sparkles } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import type { Run } from '@/api/types';
import { useCommands } from '@/commands/registry';
import { act } from '@/data/act';
import { cancelRun, itemRunsQuery, runQuery } from '@/data/factory';
import { isOver } from '@/items/states';
import { lazyPart } from '@/lib/parts';
import { plain } from '@/lib/text';
import { explain } from '@/runs/explain';
import { isLive } from '@/runs/live';
import { MendLink } from '@/runs/MendLink';
import { RunActions } from '@/runs/RunActions';
import { RunChip } from '@/runs/RunChip';
import { TurnChip } from '@/runs/TurnChip';
import { useTurn } from '@/runs/turn';
import { Button } from '@/ui/Button';
import { Confirm } from '@/ui/Confirm';
import { DateTime } from '@/ui/DateTime';
import styles from './aside.module.css';
import type { ItemContext } from './context';
import { FoldedRun, RequestLink, RunFigures, saidOf } from './RunDetails';
import { t } from './strings';

const StartDialog = lazyPart(() =>
  import('@/runs/StartDialog').then(({ StartDialog: Dialog }) => ({ default: Dialog })),
);
const SHOWN = 5;

/**
 * The live run with its next step, and the runs before it. Who is no operator has no page of a run, and finds here what
 * is told them.
 */
export function RunsPanel(context: ItemContext) {
  const { slug, project, card, access, frozen } = context;
  const navigate = useNavigate();
  const refine = () =>
    void navigate({
      to: '/o/$slug/p/$project/items/$item/refine',
      params: { slug, project, item: card.key },
    });
  const query = itemRunsQuery(slug, card.key);
  const { data: page, refetch } = useQuery(query);
  const [starting, setStarting] = useState(false);
  const live = card.liveRun;
  // The stream tells of a new or ended run by the item alone.
  useEffect(() => void (live !== undefined && refetch()), [live, refetch]);
  const runs = page?.items ?? [];
  const busy = runs.some(isLive);
  useCommands(
    access.start && access.write && !busy
      ? [
          {
            id: 'item.run',
            title: t('startTitle', { key: card.key }),
            group: 'item',
            keys: 'r',
            refusal: frozen,
            run: () => setStarting(true),
          },
          {
            id: 'item.refine',
            title: t('refineTitle', { key: card.key }),
            group: 'item',
            keys: 'shift+r',
            run: refine,
          },
        ]
      : [],
  );
  if (runs.length === 0 && !access.operate) return null;
  return (
    <section className={styles.section} aria-label={t('runs')}>
      <header className={styles.headingRow}>
        <h2 className={styles.heading}>{t('runs')}</h2>
        {access.start && access.write && !busy && (
          <span className={styles.headingActions}>
            <Button size="small" kind="ghost" icon={Sparkles} data-tip-keys="shift+r" onClick={refine}>
              {t('refine')}
            </Button>
            <Button
              size="small"
              kind="agent"
              icon={Play}
              refusal={frozen}
              data-tip-keys="r"
              onClick={() => setStarting(true)}
            >
              {t('start')}
            </Button>
          </span>
        )}
      </header>
      {runs.length === 0 && <p className={styles.nothing}>{t('noRuns')}</p>}
      <ul className={styles.runs}>
        {runs.slice(0, SHOWN).map((run, at) => (
          <li key={run.id}>
            {at === 0 ? (
              <NewestRun {...context} run={run} />
            ) : access.operate ? (
              <EarlierRun slug={slug} run={run} />
            ) : (
              <FoldedRun run={run} />
            )}
          </li>
        ))}
      </ul>
      {starting && (
        <Suspense>
          <StartDialog slug={slug} project={project} item={card.key} onClose={() => setStarting(false)} />
        </Suspense>
      )}
    </section>
  );
}

function NewestRun({ slug, project, card, access, frozen, run: listed }: ItemContext & { run: Run }) {
  const [cancelling, setCancelling] = useState(false);
  const operator = access.operate;
  const run = useWhole(listed, operator);
  const waits = useTurn(run, operator);
  const { happened, next } = waits ?? explain(run, { operator });
  // What was accepted asks for nothing more.
  const over = run.status === 'succeeded' && isOver(card);
  return (
    <div className={styles.run}>
      <div className={styles.runHead}>
        {waits ? <TurnChip turn={waits.turn} /> : <RunChip run={run} operator={operator} />}
        <span className="meta">
          <DateTime at={run.finishedAt ?? run.startedAt ?? run.queuedAt} />
        </span>
      </div>
      <p className={styles.runText}>
        {operator ? happened : saidOf(run)}
        {operator && <MendLink sentence={happened} slug={slug} project={project} />}
      </p>
      {operator && next && !over && <p className={styles.runNext}>{next}</p>}
      {!operator && <RunFigures run={run} />}
      <div className={styles.runActions}>
        {operator && <RunLink slug={slug} id={run.id} />}
        {operator && run.kind === 'refine' && (
          <Link
            to="/o/$slug/p/$project/items/$item/refine"
            params={{ slug, project, item: card.key }}
            className="link"
          >
            {waits?.open ?? t('openRefinement')}
          </Link>
        )}
        <RequestLink run={run} />
        {access.start && access.write && !isLive(run) && <RunActions run={run} refusal={frozen} />}
        {access.start && isLive(run) && (
          <Button size="small" kind="ghost" onClick={() => setCancelling(true)}>
            {t('cancelRun')}
          </Button>
        )}
      </div>
      <Confirm
        open={cancelling}
        onClose={() => setCancelling(false)}
        title={t('cancelRunTitle')}
        action={t('cancelRun')}
        run={() => act(() => cancelRun(run), ['item-runs', slug, card.key])}
      >
        {t('cancelRunDetail')}
      </Confirm>
    </div>
  );
}

/** A failed run with all that is known of it: lists do not say whether it continues by itself. */
function useWhole(listed: Run, operator: boolean): Run {
  const failed = operator && listed.status === 'failed';
  const { data: run } = useQuery({ ...runQuery(listed.organization, listed.id), enabled: failed });
  return run?.status === listed.status ? run : listed;
}

function EarlierRun({ slug, run }: { slug: string; run: Run }) {
  return (
    <Link to="/o/$slug/factory/runs/$run" params={{ slug, run: run.id }} className={styles.earlier}>
      <RunChip run={run} operator bare />
      <span className="meta truncate">{plain(run.playbook.name)}</span>
      <span className={`meta ${styles.push}`}>
        <DateTime at={run.finishedAt ?? run.queuedAt} />
      </span>
    </Link>
  );
}

function RunLink({ slug, id }: { slug: string; id: string }) {
  return (
    <Link to="/o/$slug/factory/runs/$run" params={{ slug, run: id }} className="link">
      {t('openRun')}
    </Link>
  );
}
