import { useQueries, useQuery } from '@tanstack/react-query';
import { Radio } from 'lucide-react';
import { useState } from 'react';
import { useAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { useRouteParams, useSearchParams } from '@/app/params';
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
import { workQuery } from '../home/work';
import styles from './activity.module.css';
import { byDay, type Known, ofItems, ofRuns, together, untold } from './days';
import { ItemEntry, RunEntry } from './Entries';
import { useLatest } from './latest';
import { t } from './strings';

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'timedOut'] as const;

const MOST = 100;

/**
 * What agents did lately, and what people did: the items that were made, moved, talked about and finished, newest first.
 * Without the right to operate the factory, a run shows its status and pull request only.
 */
export default function Activity() {
  const { slug } = useRouteParams('slug');
  const { operate } = useAccess(slug);
  const [search, change] = useSearchParams();
  const { project, status } = search;
  const { data, error, refetch } = useQuery(runsQuery(slug, { project, status, pageSize: MOST }));
  const items = useItems(slug, project, status === undefined || status === '');
  const runs = ofRuns(data?.items ?? []);
  const oldest = runs.map(({ at }) => at).sort()[0];
  const [times, setTimes] = useState(1);
  const latest = useLatest(slug, items.changed, times);
  const all = [
    ...untold(
      together([{ all: runs, since: runs.length === MOST ? oldest : undefined }, ...items.lists]),
      latest.known,
      latest.since,
    ),
    ...latest.told,
    ...latest.until,
  ];
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
      ) : !data || !items.ready ? (
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
                    <Button size="small" kind="ghost" busy={latest.busy} onClick={() => setTimes(times + 1)}>
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

/**
 * By what items are asked for: the last of a full list says how far back it goes. Items that were started are looked for
 * among those that changed last. These go back by minutes where somebody changed many at once, which cuts nothing else off.
 */
const LISTS = [
  { what: 'created', sort: '-created', by: 'createdAt' },
  { what: 'started', sort: '-updated', by: undefined },
  { what: 'finished', sort: '-resolved', by: 'resolvedAt' },
] as const;

/** Items that were made, started and finished lately; none where runs alone are asked for. */
function useItems(slug: string, project: string | undefined, enabled: boolean) {
  const filter = project ? `project:${project}` : '';
  const answers = useQueries({
    queries: LISTS.map(({ what, sort }) => {
      const all = what === 'finished' ? `${filter} state:resolved,closed`.trim() : filter;
      return { ...workQuery(slug, all, sort, 1, MOST), enabled };
    }),
  });
  const lists = LISTS.map(({ what, by }, at): Known => {
    const items = (enabled && answers[at]?.data?.items) || [];
    const last = by && items.length === MOST ? items.at(-1)?.[by] : undefined;
    return { all: ofItems(items, what), since: last ?? undefined };
  });
  // What could not be read is left out: the rest is worth showing.
  const changed = (enabled && answers[1]?.data?.items) || [];
  return { lists, changed, ready: !enabled || !answers.some(({ isLoading }) => isLoading) };
}
