import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink, Radio } from 'lucide-react';
import type { Run } from '@/api/types';
import { useAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { useRouteParams, useSearchParams } from '@/app/params';
import { runsQuery } from '@/data/factory';
import { projectsQuery } from '@/data/projects';
import { address } from '@/lib/address';
import { plain } from '@/lib/text';
import { serverNow } from '@/lib/times';
import { explain, pullRequestNumber } from '@/runs/explain';
import { RunChip } from '@/runs/RunChip';
import { Avatar } from '@/ui/Avatar';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import styles from './activity.module.css';
import { byDay, lastOf } from './days';
import { t } from './strings';

const STATUSES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'timedOut'] as const;

/** What agents did lately, newest first. Who is no operator sees status and pull request only. */
export default function Activity() {
  const { slug } = useRouteParams('slug');
  const { operate } = useAccess(slug);
  const [search, change] = useSearchParams();
  const { project, status } = search;
  const { data, error, refetch } = useQuery(runsQuery(slug, { project, status, pageSize: 100 }));
  const { data: projects } = useQuery(projectsQuery(slug));
  const filtered = Boolean(project || status);
  return (
    <Page
      title={t('activity')}
      bar={
        <div className={styles.filters}>
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
      ) : !data ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={8} height={48} />
        </div>
      ) : data.items.length === 0 ? (
        <EmptyState
          icon={Radio}
          title={t(filtered ? 'noneMatch' : 'none')}
          action={
            filtered ? { label: t('clear'), run: () => change({ project: '', status: '' }) } : undefined
          }
        />
      ) : (
        byDay(data.items, serverNow()).map((day) => (
          <Section key={day.label} title={day.label} flush>
            <ol className={styles.list}>
              {day.runs.map((run) => (
                <Entry key={run.id} run={run} operate={operate} />
              ))}
            </ol>
          </Section>
        ))
      )}
    </Page>
  );
}

function Entry({ run, operate }: { run: Run; operate: boolean }) {
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
