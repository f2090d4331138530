import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Coffee } from 'lucide-react';
import { Fragment, type ReactNode, Suspense } from 'react';
import type { Item } from '@/api/types';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { useRouteParams, useSearchParams } from '@/app/params';
import { useCommands } from '@/commands/registry';
import { useMe } from '@/data/me';
import { sprintsQuery } from '@/data/projects';
import { type Recent, useWayThrough } from '@/items/selection';
import { today } from '@/lib/days';
import { useLocal } from '@/lib/local';
import { useNarrow } from '@/lib/media';
import { lazyPart } from '@/lib/parts';
import { plain, projectOf } from '@/lib/text';
import { useMinute } from '@/ui/DateTime';
import { TypeGlyph } from '@/ui/glyphs';
import { Tabs } from '@/ui/LinkTabs';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { Beside } from './Beside';
import styles from './home.module.css';
import { More, Rows, Section } from './ItemRows';
import { NeedsYou, useNeeds } from './NeedsYou';
import { t } from './strings';
import { useWork, type Work } from './useWork';
import { byDay, bySprint, FILTERS, type SprintName } from './work';

const FirstSteps = lazyPart(() => import('@/runs/FirstSteps'));

const PARTS = ['needs', 'due', 'mine', 'watched'] as const;
type Part = (typeof PARTS)[number];

/** The viewer's work in this organization: what waits for them, what is due, what is theirs, what they follow. */
export default function Home() {
  const { slug } = useRouteParams('slug');
  const me = useMe();
  const due = useWork(slug, FILTERS.due, 'due');
  const now = useWork(slug, FILTERS.now, '-priority');
  const mine = together(now, useWork(slug, FILTERS.mine, '-priority'));
  const watched = useWork(slug, FILTERS.watched, '-updated');
  const needs = useNeeds(slug);
  const navigate = useNavigate();
  const narrow = useNarrow();
  const [search, change] = useSearchParams();
  const beside = (next: { peek?: string; changes?: string }) => change({ peek: '', changes: '', ...next });
  useRowKeys(beside);
  useWayThrough(() => [...new Set(rows().flatMap(({ dataset }) => dataset.work ?? []))]);
  const totals = { needs: needs.runs.length, due: due.total, mine: mine.total, watched: watched.total };
  const works = [due, mine, watched];
  const ready = works.every((work) => work.ready);
  const failed = works.find((work) => work.error !== undefined && !work.ready);
  const nothing = ready && PARTS.every((part) => totals[part] === 0);
  const first = PARTS.find((part) => totals[part] > 0) ?? 'mine';
  const tab = PARTS.find((part) => part === search.tab) ?? first;
  const parts: Record<Part, ReactNode> = {
    needs: <NeedsYou slug={slug} {...needs} onChanges={({ id }) => beside({ changes: id })} />,
    due: <Due slug={slug} work={due} />,
    mine: <Mine slug={slug} work={mine} />,
    watched: <Watched slug={slug} work={watched} />,
  };
  const hour = new Date().getHours();
  const part = hour < 12 ? 'morning' : hour < 18 ? 'noon' : 'evening';
  return (
    <Page title={t('title')}>
      <FrozenBar slug={slug} />
      <div className={styles.home}>
        <h2 className={styles.hello}>
          {t('hello', { hour: part, name: plain(me.displayName).split(' ')[0] ?? '' })}
        </h2>
        <Suspense>
          <FirstSteps slug={slug} hides />
        </Suspense>
        {failed && <ProblemPanel error={failed.error} retry={failed.retry} />}
        {!ready && !failed && <Skeleton label={t('loading')} rows={6} />}
        {nothing && (
          <EmptyState
            icon={Coffee}
            title={t('empty')}
            action={{
              label: t('toProjects'),
              keys: 'g p',
              run: () => void navigate({ to: '/o/$slug/p', params: { slug } }),
            }}
          >
            {t('emptyDetail')}
          </EmptyState>
        )}
        {narrow && ready && !nothing ? (
          <>
            <div className={styles.tabs}>
              <Tabs
                label={t('work')}
                panel="work"
                current={tab}
                onChange={(next) => change({ tab: next })}
                tabs={PARTS.map((id) => ({
                  id,
                  label: t(`tab_${id}`),
                  count: totals[id],
                }))}
              />
            </div>
            <div id="work" role="tabpanel">
              {totals[tab] > 0 ? parts[tab] : <p className={styles.nothing}>{t(`nothing_${tab}`)}</p>}
            </div>
          </>
        ) : (
          PARTS.map((id) => totals[id] > 0 && <Fragment key={id}>{parts[id]}</Fragment>)
        )}
        <RecentItems slug={slug} />
      </div>
      <Beside
        slug={slug}
        peek={search.peek}
        run={needs.runs.find(({ id }) => id === search.changes)}
        onClose={() => beside({})}
      />
    </Page>
  );
}

/** All that is mine, with what comes first of it from the beginning. */
function together(now: Work, all: Work): Work {
  const items = new Map([...now.items, ...all.items].map((item) => [item.key, item]));
  return { ...all, items: [...items.values()], ready: now.ready && all.ready, error: now.error ?? all.error };
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-work]')];
}

/** Keys that go through the rows, whatever part they are in, and look at what they are about. */
function useRowKeys(beside: (next: { peek?: string; changes?: string }) => void): void {
  const at = () => rows().findIndex((row) => row.closest('li')?.contains(document.activeElement));
  const go = (step: number) => () => {
    const all = rows();
    const next = all[Math.max(0, Math.min(all.length - 1, at() + step))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  const look = (name: 'peek' | 'changes') => () => {
    const { work, run } = rows()[at()]?.dataset ?? {};
    if (name === 'peek' && work) beside({ peek: work });
    if (name === 'changes' && run) beside({ changes: run });
  };
  const hidden = true;
  useCommands([
    { id: 'home.next', title: t('next'), group: 'view', keys: 'j', run: go(1), hidden },
    { id: 'home.previous', title: t('previous'), group: 'view', keys: 'k', run: go(-1), hidden },
    { id: 'home.peek', title: t('peek'), group: 'view', keys: 'space', run: look('peek'), hidden },
    { id: 'home.changes', title: t('showChanges'), group: 'view', keys: 'd', run: look('changes'), hidden },
  ]);
}

function Due({ slug, work }: { slug: string; work: Work }) {
  // What is due today is late after midnight.
  useMinute();
  if (work.total === 0) return null;
  return (
    <Section id="due" title={t('due')} total={work.total}>
      {byDay(work.items, today()).map(({ when, items }) => (
        <Rows key={when} slug={slug} heading={t(when)} items={items} />
      ))}
      <More work={work} />
    </Section>
  );
}

function Mine({ slug, work }: { slug: string; work: Work }) {
  const { id: me } = useMe();
  const sprints = useSprintNames(slug, work.items);
  if (work.total === 0) return null;
  return (
    <Section id="mine" title={t('mine')} total={work.total}>
      {bySprint(work.items, me, sprints).map(({ id, sprint, items }) => (
        <Rows key={id} slug={slug} heading={headingOf(id, sprint, items)} items={items} />
      ))}
      <More work={work} />
    </Section>
  );
}

function headingOf(id: string, sprint: SprintName | undefined, items: readonly Item[]): string {
  if (id === 'claimed') return t('claimed');
  if (id === 'none') return t('noSprint');
  const project = projectOf(items[0]?.key ?? '');
  return t('inSprint', { sprint: plain(sprint?.name ?? t('otherSprint')), project });
}

/** Names of the sprints that items are in, project by project. */
function useSprintNames(slug: string, items: readonly Item[]): ReadonlyMap<string, SprintName> {
  const projects = [...new Set(items.filter(({ sprint }) => sprint).map(({ key }) => projectOf(key)))];
  const answers = useQueries({ queries: projects.map((project) => sprintsQuery(slug, project)) });
  return new Map(answers.flatMap(({ data }) => data?.items ?? []).map((sprint) => [sprint.id, sprint]));
}

function Watched({ slug, work }: { slug: string; work: Work }) {
  if (work.total === 0) return null;
  return (
    <Section id="watched" title={t('watched')} total={work.total}>
      <Rows slug={slug} items={work.items} />
      <More work={work} />
    </Section>
  );
}

function RecentItems({ slug }: { slug: string }) {
  const [recent] = useLocal<Recent[]>('recent', []);
  const entries = recent.filter((entry) => entry.slug === slug).slice(0, 6);
  if (entries.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{t('recent')}</h3>
      <ul>
        {entries.map((entry) => (
          <li key={entry.key}>
            <Link
              to="/o/$slug/p/$project/items/$item"
              params={{ slug, project: projectOf(entry.key), item: entry.key }}
              className={styles.row}
            >
              <span className={styles.glyph}>
                <TypeGlyph type={entry.type} labelled />
              </span>
              <span className={styles.key}>{entry.key}</span>
              <span className="truncate">{plain(entry.title)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
