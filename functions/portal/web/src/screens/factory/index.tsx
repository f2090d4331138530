import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import type { Run, Runner } from '@/api/types';
import { useAccess } from '@/app/access';
import { useRouteParams } from '@/app/params';
import { budgetsQuery } from '@/data/budgets';
import { runnersQuery, runsQuery } from '@/data/factory';
import { address } from '@/lib/address';
import { plain } from '@/lib/text';
import { serverNow } from '@/lib/times';
import FirstSteps from '@/runs/FirstSteps';
import { cost, today } from '@/runs/figures';
import { toMend } from '@/runs/needs';
import { RunRow } from '@/runs/RunRow';
import { DateTime } from '@/ui/DateTime';
import { Row, Rows } from '@/ui/Rows';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, EmptyState, ProblemPanel } from '@/ui/states';
import { heldBackBy } from '../budgets/limits';
import { machinesOf } from '../runners/machines';
import { FactoryPage } from './FactoryPage';
import styles from './factory.module.css';
import { RunnerState } from './RunnerState';
import { t } from './strings';

/** How far back the overview looks. */
const RECENT = 100;

/** What agents do now: needs you, running, queued, the machines, the day in figures. */
export default function Factory() {
  const { slug } = useRouteParams('slug');
  const { operate } = useAccess(slug);
  const runs = useQuery({ ...runsQuery(slug, { pageSize: RECENT }), enabled: operate });
  const runners = useQuery({ ...runnersQuery(slug), enabled: operate });
  return (
    <FactoryPage title={t('factory')}>
      {runs.error ? (
        <ProblemPanel error={runs.error} retry={() => void runs.refetch()} />
      ) : !runs.data || !runners.data ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={8} height={40} />
        </div>
      ) : (
        <Overview slug={slug} runs={runs.data.items} runners={runners.data} />
      )}
    </FactoryPage>
  );
}

function Overview({ slug, runs, runners }: { slug: string; runs: Run[]; runners: Runner[] }) {
  const setup = <FirstSteps slug={slug} />;
  if (runs.length === 0 && runners.length === 0) {
    return (
      <>
        {setup}
        <EmptyState icon={Bot} title={t('emptyTitle')}>
          {t('empty')}
        </EmptyState>
      </>
    );
  }
  const needs = toMend(runs, serverNow());
  const running = runs.filter((run) => run.status === 'running' || run.status === 'assigned');
  const queued = runs.filter((run) => run.status === 'queued');
  const shown = new Set([...needs, ...running, ...queued]);
  const ended = runs.filter((run) => !shown.has(run)).slice(0, 10);
  return (
    <>
      {setup}
      <UsedUp slug={slug} />
      <Figures runs={runs} runners={runners} running={running.length} queued={queued.length} />
      <Group title={t('needsYou', { n: needs.length })} runs={needs} />
      <Group title={t('running', { n: running.length })} runs={running} empty={t('nothingRuns')} />
      <Group title={t('queued', { n: queued.length })} runs={queued} />
      <Machines slug={slug} runners={runners} />
      <Group title={t('ended')} runs={ended} />
    </>
  );
}

/** Which budgets hold runs back. */
function UsedUp({ slug }: { slug: string }) {
  const { data } = useQuery(budgetsQuery(slug));
  const over = data?.budgets.flatMap(heldBackBy) ?? [];
  if (over.length === 0) return null;
  return (
    <Banner
      kind="warn"
      action={
        <Link {...address(`/o/${slug}/factory/budgets`)} className="link">
          {t('budgets')}
        </Link>
      }
    >
      {t('usedUp', { which: over.map(plain).join(' · ') })}
    </Banner>
  );
}

function Group({ title, runs, empty }: { title: string; runs: Run[]; empty?: string }) {
  if (runs.length === 0 && !empty) return null;
  return (
    <Section title={title} flush>
      {runs.length === 0 && <p className={styles.nothing}>{empty}</p>}
      <Rows label={title}>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </Rows>
    </Section>
  );
}

function Machines({ slug, runners }: { slug: string; runners: Runner[] }) {
  const usable = machinesOf(runners).filter(({ disabled }) => !disabled);
  return (
    <Section
      title={t('machines', { online: usable.filter(({ online }) => online).length, n: usable.length })}
      flush
    >
      {usable.length === 0 && (
        <p className={styles.nothing}>
          {t('noRunner')}{' '}
          <Link {...address(`/o/${slug}/factory/runners`)} state={{ command: 'runner.new' }} className="link">
            {t('addRunner')}
          </Link>
        </p>
      )}
      <Rows label={t('runners')}>
        {usable.map(({ id, name, online, runners: its, latest }) => (
          <Row
            key={id}
            glyph={<RunnerState runner={{ online, disabled: false }} />}
            title={name}
            href={`/o/${slug}/factory/runners`}
            detail={
              its.length > 1
                ? its.map((runner) => plain(runner.name)).join(', ')
                : latest.label
                  ? plain(latest.label)
                  : undefined
            }
            facts={[
              its.length === 1 && latest.parallel ? t('parallel', { n: latest.parallel }) : '',
              latest.platform ?? '',
              latest.lastSeenAt ? (
                <DateTime key="seen" at={latest.lastSeenAt} className={styles.end} />
              ) : (
                t('never')
              ),
            ]}
          />
        ))}
      </Rows>
    </Section>
  );
}

interface FiguresProps {
  runs: Run[];
  runners: Runner[];
  running: number;
  queued: number;
}

function Figures({ runs, runners, running, queued }: FiguresProps) {
  const day = today(runs);
  const figures: [string, string, string | undefined][] = [
    [t('figureRunning'), String(running), queued > 0 ? t('figureQueued', { n: queued }) : undefined],
    [t('figureToday'), String(day.started), undefined],
    [
      t('figureSuccess'),
      day.ended > 0 ? `${Math.round((100 * day.succeeded) / day.ended)}%` : '–',
      day.ended > 0 ? t('figureOf', { n: day.succeeded, of: day.ended }) : undefined,
    ],
    [t('figureCost'), cost(day.cost) ?? '–', undefined],
    [
      t('figureRunners'),
      String(machinesOf(runners).filter(({ online }) => online).length),
      t('figureOnline'),
    ],
  ];
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
