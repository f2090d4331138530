import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Radio } from 'lucide-react';
import { useAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { useRouteParams, useSearchParams } from '@/app/params';
import { activityQuery } from '@/data/activity';
import { runsQuery } from '@/data/factory';
import { projectsQuery } from '@/data/projects';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { serverNow } from '@/lib/times';
import { Button } from '@/ui/Button';
import filters from '@/ui/Filters.module.css';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import styles from './activity.module.css';
import { byDay, type Happening, ofItems, ofRuns, together } from './days';
import { ItemEntry, RunEntry } from './Entries';
import { t } from './strings';

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'timedOut'] as const;

const MOST = 100;

/**
 * What agents did lately, and what people did: the items that were made, moved, changed and talked about, newest first.
 * Without the right to operate the factory, a run shows its status and pull request only.
 */
export default function Activity() {
  const { slug } = useRouteParams('slug');
  const { operate } = useAccess(slug);
  const [search, change] = useSearchParams();
  const { project, status } = search;
  const { data, error, refetch } = useQuery(runsQuery(slug, { project, status, pageSize: MOST }));
  // Where runs alone are asked for, there is nothing of items.
  const items = useInfiniteQuery({
    ...activityQuery(slug, project),
    enabled: !status,
    placeholderData: keepPreviousData,
  });
  const runs = ofRuns(data?.items ?? []);
  const oldest = runs.map(({ at }) => at).sort()[0];
  const pages = (!status && items.data?.pages) || [];
  const since = pages.at(-1)?.since ?? undefined;
  const known = ofItems(pages.flatMap(({ items }) => items));
  const further: Happening[] = since === undefined ? [] : [{ id: 'further', at: since, further: true }];
  const all = together([
    { all: runs, since: runs.length === MOST ? oldest : undefined },
    { all: [...known, ...further], since },
  ]);
  const { data: projects } = useQuery(projectsQuery(slug));
  const filtered = Boolean(project || status);
  return (
    <Page
      title={t('activity')}
      bar={
        <div className={cx(filters.filters, styles.filters)}>
          <select
            aria-label={t('anyProject')}
            value={project ?? ''}
            onChange={(event) => change({ project: event.target.value })}
          >
            <option value="">{t('anyProject')}</option>
            {projects?.map(({ key, name }) => (
              <option key={key} value={key}>
                {plain(name)}
              </option>
            ))}
          </select>
          <select
            aria-label={t('anyStatus')}
            value={status ?? ''}
            onChange={(event) => change({ status: event.target.value })}
          >
            <option value="">{t('anyStatus')}</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {t(one)}
              </option>
            ))}
          </select>
        </div>
      }
    >
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !data || items.isLoading ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={8} height={48} />
        </div>
      ) : all.length === 0 ? (
        <EmptyState
          icon={Radio}
          title={t(filtered ? 'noneMatch' : 'none')}
          action={
            filtered ? { label: t('clear'), run: () => change({ project: '', status: '' }) } : undefined
          }
        />
      ) : (
        byDay(all, serverNow()).map((day) => (
          <Section key={day.label} title={day.label} flush>
            <ol className={styles.list}>
              {day.happenings.map((one) =>
                'run' in one ? (
                  <RunEntry key={one.id} run={one.run} operate={operate} />
                ) : 'further' in one ? (
                  <li key={one.id} className={styles.further}>
                    <Button
                      size="small"
                      kind="ghost"
                      busy={items.isFetchingNextPage}
                      onClick={() => void items.fetchNextPage()}
                    >
                      {t('further')}
                    </Button>
                  </li>
                ) : (
                  <ItemEntry key={one.id} slug={slug} {...one} />
                ),
              )}
            </ol>
          </Section>
        ))
      )}
    </Page>
  );
}
