import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink, Radio } from 'lucide-react';
import type { Item, Run } from '@/api/types';
import { useAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { useRouteParams, useSearchParams } from '@/app/params';
import { runsQuery } from '@/data/factory';
import { projectsQuery } from '@/data/projects';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import { plain, projectOf } from '@/lib/text';
import { serverNow } from '@/lib/times';
import { explain, pullRequestNumber } from '@/runs/explain';
import { RunChip } from '@/runs/RunChip';
import { Avatar } from '@/ui/Avatar';
import { DateTime } from '@/ui/DateTime';
import filters from '@/ui/Filters.module.css';
import { StateGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { workQuery } from '../home/work';
import styles from './activity.module.css';
import { byDay, type Happening, type Known, lastOf, ofItems, ofRuns, together } from './days';
import { t } from './strings';

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'timedOut'] as const;

const MOST = 100;

/**
 * What agents did lately, and the items that were made, started and finished, newest first. Without the right to operate the
 * factory, a run shows its status and pull request only.
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
  const all = together([{ all: runs, since: runs.length === MOST ? oldest : undefined }, ...items.lists]);
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

/** By what items are asked for: the last of a full list says how far back it goes. */
const LISTS = [
  { what: 'created', sort: '-created', by: 'createdAt' },
  // An item that was started is changed thereby.
  { what: 'started', sort: '-updated', by: 'updatedAt' },
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
    const last = items.length === MOST ? items.at(-1)?.[by] : undefined;
    return { all: ofItems(items, what), since: last ?? undefined };
  });
  // What could not be read is left out: the rest is worth showing.
  return { lists, ready: !enabled || !answers.some(({ isLoading }) => isLoading) };
}

type ItemHappening = Extract<Happening, { item: Item }>;

function ItemEntry({ slug, item, what, at }: ItemHappening & { slug: string }) {
  const by = item.createdBy;
  return (
    <li className={styles.entry}>
      {what === 'created' ? (
        <Avatar name={by.name} agent={by.agent} size={24} decorative />
      ) : (
        <span className={styles.glyph}>
          <StateGlyph group={what === 'started' ? 'active' : item.stateGroup} />
        </span>
      )}
      <div className={styles.words}>
        <p className={styles.head}>
          {what === 'created' && (
            <>
              <span className={styles.agent}>{plain(by.name)}</span>
              <span>{t('created')}</span>
            </>
          )}
          <Link {...address(`/o/${slug}/p/${projectOf(item.key)}/items/${item.key}`)} className="link">
            {item.key}
          </Link>
          {what === 'started' && <span>{t('started')}</span>}
          {what === 'finished' && <span>{t('finished', { state: plain(item.state) })}</span>}
        </p>
        <p className={styles.said}>{plain(item.title)}</p>
      </div>
      <DateTime at={at} className={styles.when} />
    </li>
  );
}

function RunEntry({ run, operate }: { run: Run; operate: boolean }) {
  const said = explain(run, { operator: operate });
  const item = `/o/${run.organization}/p/${run.project}/items/${run.item}`;
  const href = operate ? `/o/${run.organization}/factory/runs/${run.id}` : item;
  const number = pullRequestNumber(run.pullRequest);
  return (
    <li className={styles.entry}>
      <Avatar name={run.agent.name} agent size={24} decorative />
      <div className={styles.words}>
        <p className={styles.head}>
          <span className={styles.agent}>{plain(run.agent.name)}</span>
          <Link {...address(item)} className="link">
            {run.item}
          </Link>
          <Link {...address(href)} className={styles.chip}>
            <RunChip run={run} operator={operate} />
          </Link>
          {run.pullRequest && (
            <a href={run.pullRequest} target="_blank" rel="noreferrer" className="link">
              {number ? `#${number}` : t('pullRequest')}{' '}
              <Icon of={ExternalLink} size={12} className={styles.inline} />
            </a>
          )}
        </p>
        <p className={styles.said}>
          {(operate && run.status === 'succeeded' && run.outcome && plain(run.outcome).slice(0, 280)) ||
            said.happened}
        </p>
      </div>
      <DateTime at={lastOf(run)} className={styles.when} />
    </li>
  );
}
