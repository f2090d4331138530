import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { isProblem } from '@/api/problem';
import type { Run } from '@/api/types';
import { useAccess } from '@/app/access';
import { Crumb, Page } from '@/app/Page';
import { useRouteParams, useSearchParams } from '@/app/params';
import { Missing } from '@/app/States';
import { itemRunsQuery, runQuery } from '@/data/factory';
import { itemQuery } from '@/data/items';
import { lazyPart } from '@/lib/parts';
import { plain, projectOf } from '@/lib/text';
import { Tabs } from '@/ui/LinkTabs';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { Outcome } from './Outcome';
import { Prompt } from './Prompt';
import { RunAside } from './RunAside';
import { RunHead } from './RunHead';
import styles from './run.module.css';
import { t } from './strings';

const LogView = lazyPart(() => import('./log/LogView'));
const ChangesView = lazyPart(() => import('./changes/ChangesView'));
const TABS = ['log', 'changes', 'prompt', 'outcome'] as const;
type Tab = (typeof TABS)[number];

/** One run: what happened, what to do, its log, its prompt, its outcome. The page stays for good. */
export default function RunScreen() {
  const { slug, run: id } = useRouteParams('slug', 'run');
  const { operate } = useAccess(slug);
  const { data: run, error, refetch } = useQuery({ ...runQuery(slug, id), enabled: operate });
  if (!operate || isProblem(error, 'not-found')) return <Missing />;
  const title = run ? t('title', { item: run.item }) : t('run');
  return (
    <Page title={title} fill crumbs={run && <Crumbs run={run} />} actions={run && <RunHead run={run} />}>
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : run ? (
        <Body run={run} />
      ) : (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={10} />
        </div>
      )}
    </Page>
  );
}

/** Leads to the item that the run is of, and names it. */
function Crumbs({ run }: { run: Run }) {
  const { data: item } = useQuery(itemQuery(run.organization, run.item));
  return (
    <Crumb>
      <Link
        to="/o/$slug/p/$project/items/$item"
        params={{ slug: run.organization, project: projectOf(run.item), item: run.item }}
      >
        {run.item}
        {item && <span className={styles.itemTitle}> {plain(item.title)}</span>}
      </Link>
    </Crumb>
  );
}

function Body({ run }: { run: Run }) {
  const [search, change] = useSearchParams();
  const { data: siblings } = useQuery(itemRunsQuery(run.organization, run.item));
  const tab: Tab = TABS.find((known) => known === search.tab) ?? 'log';
  const tabs = TABS.map((known) => ({ id: known, label: t(known) }));
  return (
    <div className={styles.body}>
      <RunAside run={run} siblings={siblings?.items ?? []} />
      <div className={styles.main}>
        <div className={styles.tabs}>
          <Tabs
            label={t('parts')}
            tabs={tabs}
            current={tab}
            panel="run-panel"
            onChange={(next) => change({ tab: next === 'log' ? '' : next, file: '' })}
          />
        </div>
        <div id="run-panel" role="tabpanel" aria-label={t(tab)} className={styles.panel}>
          {tab === 'log' && (
            <Suspense>
              <LogView key={run.id} run={run} />
            </Suspense>
          )}
          {tab === 'changes' && (
            <Suspense>
              <ChangesView key={run.id} run={run} />
            </Suspense>
          )}
          {tab === 'prompt' && <Prompt run={run} />}
          {tab === 'outcome' && <Outcome run={run} />}
        </div>
      </div>
    </div>
  );
}
