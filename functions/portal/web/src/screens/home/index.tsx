import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Coffee } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Item } from '@/api/types';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { useRouteParams } from '@/app/params';
import { useMe } from '@/data/me';
import { GlanceChip } from '@/items/GlanceChip';
import type { Recent } from '@/items/selection';
import { useLocal } from '@/lib/local';
import { plain, projectOf } from '@/lib/text';
import { DateTime } from '@/ui/DateTime';
import { PriorityGlyph, StateGlyph, TypeGlyph } from '@/ui/glyphs';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import styles from './home.module.css';
import { NeedsYou, useNeeds } from './NeedsYou';
import { t } from './strings';
import { workQuery } from './work';

const FirstSteps = lazy(() => import('@/runs/FirstSteps'));

/** What waits for the person in this organization. */
export default function Home() {
  const { slug } = useRouteParams('slug');
  const me = useMe();
  const work = useWork(slug);
  const needs = useNeeds(slug);
  const navigate = useNavigate();
  const [recent] = useLocal<Recent[]>('recent', []);
  const mine = recent.filter((entry) => entry.slug === slug).slice(0, 6);
  const claimed = work.items.filter((item) => item.claim?.holder === me.id);
  const assigned = work.items.filter((item) => item.assignee?.id === me.id && item.claim?.holder !== me.id);
  const hour = new Date().getHours();
  const part = hour < 12 ? 'morning' : hour < 18 ? 'noon' : 'evening';
  const nothing = work.ready && claimed.length === 0 && assigned.length === 0 && needs.runs.length === 0;
  return (
    <Page title={t('title')}>
      <FrozenBar slug={slug} />
      <div className={styles.home}>
        <h2 className={styles.hello}>
          {t('hello', { hour: part, name: plain(me.displayName).split(' ')[0] ?? '' })}
        </h2>
        {work.error !== undefined && work.items.length === 0 && (
          <ProblemPanel error={work.error} retry={work.retry} />
        )}
        {!work.ready && work.error === undefined && <Skeleton label={t('loading')} rows={6} />}
        <Suspense>
          <FirstSteps slug={slug} hides />
        </Suspense>
        <NeedsYou slug={slug} {...needs} />
        <Section slug={slug} title={t('claimed')} items={claimed} />
        <Section slug={slug} title={t('assigned')} items={assigned} />
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
        {mine.length > 0 && (
          <section className={styles.section}>
            <h3 className={styles.heading}>{t('recent')}</h3>
            <ul>
              {mine.map((entry) => (
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
        )}
      </div>
    </Page>
  );
}

function Section({ slug, title, items }: { slug: string; title: string; items: Item[] }) {
  if (items.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>
        {title} <span className={styles.count}>{items.length}</span>
      </h3>
      <ul>
        {items.map((item) => (
          <li key={item.key}>
            <Link
              to="/o/$slug/p/$project/items/$item"
              params={{ slug, project: projectOf(item.key), item: item.key }}
              className={styles.row}
            >
              <span className={styles.glyph}>
                <StateGlyph group={item.stateGroup} />
              </span>
              <span className={styles.key}>{item.key}</span>
              <span className={`${styles.title} truncate`}>{plain(item.title)}</span>
              <GlanceChip slug={slug} card={item} />
              <PriorityGlyph priority={item.priority} labelled />
              <span className={styles.state}>{plain(item.state)}</span>
              <span className={styles.when}>
                <DateTime at={item.updatedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the person claimed, and what is assigned to them and not done: the same items as `svc status` lists. */
function useWork(slug: string) {
  const claimed = useQuery(workQuery(slug, 'claimed:@me'));
  const assigned = useQuery(workQuery(slug, 'assignee:@me state:backlog,active'));
  const both = [claimed, assigned];
  const items = new Map(both.flatMap((query) => query.data?.items ?? []).map((item) => [item.key, item]));
  return {
    items: [...items.values()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)),
    ready: both.every((query) => query.data !== undefined),
    error: claimed.error ?? assigned.error ?? undefined,
    retry: () => {
      for (const query of both) void query.refetch();
    },
  };
}
