import { useQuery } from '@tanstack/react-query';
import { CirclePlay } from 'lucide-react';
import { useAccess } from '@/app/access';
import { useRouteParams, useSearchParams } from '@/app/params';
import { agentsQuery, runsQuery } from '@/data/factory';
import { projectsQuery } from '@/data/projects';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { RunRow } from '@/runs/RunRow';
import filters from '@/ui/Filters.module.css';
import { Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { FactoryPage } from '../factory/FactoryPage';
import styles from '../factory/factory.module.css';
import { Pager } from '../factory/Pager';
import { STATUSES, statusName, t } from './strings';

const SIZE = 50;

/** Every run of the organization, newest first, by project, agent and status. */
export default function Runs() {
  const { slug } = useRouteParams('slug');
  const { operate } = useAccess(slug);
  const [search, change] = useSearchParams();
  const page = Math.max(1, Number(search.page) || 1);
  const { project, agent, status } = search;
  const { data, error, refetch } = useQuery({
    ...runsQuery(slug, { project, agent, status, page, pageSize: SIZE }),
    enabled: operate,
  });
  const filtered = Boolean(project || agent || status);
  return (
    <FactoryPage title={t('runs')}>
      <Filters slug={slug} search={search} change={change} />
      {error ? (
        <ProblemPanel error={error} retry={() => void refetch()} />
      ) : !data ? (
        <div className={styles.loading}>
          <Skeleton label={t('loading')} rows={10} height={40} />
        </div>
      ) : data.items.length === 0 ? (
        <EmptyState
          icon={CirclePlay}
          title={filtered ? t('noneMatch') : t('none')}
          action={
            filtered
              ? { label: t('clear'), run: () => change({ project: '', agent: '', status: '', page: '' }) }
              : undefined
          }
        >
          {!filtered && t('noneHint')}
        </EmptyState>
      ) : (
        <>
          <Rows label={t('runs')}>
            {data.items.map((run) => (
              <RunRow key={run.id} run={run} />
            ))}
          </Rows>
          <Pager
            page={page}
            pages={Math.ceil(data.totalCount / SIZE)}
            text={t('total', { n: data.totalCount })}
            turn={(to) => change({ page: to > 1 ? String(to) : '' })}
          />
        </>
      )}
    </FactoryPage>
  );
}

interface FiltersProps {
  slug: string;
  search: Partial<Record<string, string>>;
  change: (next: Record<string, string | undefined>) => void;
}

function Filters({ slug, search, change }: FiltersProps) {
  const { data: projects } = useQuery(projectsQuery(slug));
  const { data: agents } = useQuery(agentsQuery(slug));
  const choices: [string, string, [string, string][]][] = [
    ['status', t('anyStatus'), STATUSES.map((status) => [status, statusName(status)])],
    ['project', t('anyProject'), (projects ?? []).map((project) => [project.key, plain(project.name)])],
    ['agent', t('anyAgent'), (agents ?? []).map((agent) => [agent.id, plain(agent.name)])],
  ];
  return (
    <div className={cx(filters.filters, styles.filters)}>
      {choices.map(([name, any, options]) => (
        <select
          key={name}
          aria-label={any}
          value={search[name] ?? ''}
          onChange={(event) => change({ [name]: event.target.value, page: '' })}
        >
          <option value="">{any}</option>
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ))}
    </div>
  );
}
