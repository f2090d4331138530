import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { Page } from '@/app/Page';
import { useRouteParams, useSearchParams } from '@/app/params';
import { projectStatsQuery } from '@/data/insights';
import { milestonesQuery } from '@/data/milestones';
import { projectQuery } from '@/data/projects';
import { plain } from '@/lib/text';
import { alongWeeks, BurnUpChart, ThroughputChart, type Week } from '@/progress/WeekCharts';
import { Chart } from '@/ui/chart/Chart';
import { SelectField } from '@/ui/Field';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import styles from './insights.module.css';
import { PeriodField, usePeriod } from './Period';
import { t } from './strings';

/** What a project got done: how long items take, how many are finished, where they pile up, how the goal comes nearer. */
export default function Insights() {
  const { slug, project } = useRouteParams('slug', 'project');
  const [search, change] = useSearchParams();
  const weeks = usePeriod();
  const about = useQuery(projectQuery(slug, project));
  const milestones = useQuery(milestonesQuery(slug, project));
  const milestone = milestones.data?.find(({ id }) => id === search.milestone)?.id;
  // The pictures stay until others are there.
  const stats = useQuery({
    ...projectStatsQuery(slug, project, weeks, milestone),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('title')} of={plain(about.data?.name ?? project)}>
      <div className={styles.choices}>
        <PeriodField />
        <SelectField
          label={t('milestone')}
          value={milestone ?? ''}
          onChange={(event) => change({ milestone: event.target.value || undefined })}
        >
          <option value="">{t('everything')}</option>
          {(milestones.data ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {plain(name)}
            </option>
          ))}
        </SelectField>
      </div>
      {stats.error && !stats.data ? (
        <ProblemPanel error={stats.error} retry={() => void stats.refetch()} />
      ) : !stats.data ? (
        <Skeleton label={t('loading')} rows={8} height={60} />
      ) : stats.data.weeks.every(({ backlog, active, done }) => backlog + active + done === 0) ? (
        <EmptyState icon={ChartLine} title={t('empty')}>
          {t('emptyDetail')}
        </EmptyState>
      ) : (
        <Charts project={project} weeks={stats.data.weeks} />
      )}
    </Page>
  );
}

const HOURS = 24;
const days = (value: number) => t('days', { n: value.toLocaleString('en', { maximumFractionDigits: 1 }) });

function Charts({ project, weeks }: { project: string; weeks: readonly Week[] }) {
  const common = alongWeeks(weeks);
  const values = (of: (week: Week) => number | undefined) => weeks.map(of);
  const inDays = (hours: number | undefined) => hours && hours / HOURS;
  const finished = weeks.some(({ cycleTime }) => cycleTime);
  return (
    <div className={styles.charts}>
      <Section title={t('cycle')} about={t('cycleAbout')}>
        {finished ? (
          <Chart
            {...common}
            kind="lines"
            summary={t('cycleSummary')}
            format={days}
            series={[
              {
                id: 'p85',
                label: t('p85'),
                tone: 'warn',
                dashed: true,
                values: values(({ cycleTime }) => inDays(cycleTime?.p85Hours)),
              },
              {
                id: 'median',
                label: t('median'),
                tone: 'accent',
                values: values(({ cycleTime }) => inDays(cycleTime?.medianHours)),
              },
            ]}
            file={`${project}-cycle-time`}
          />
        ) : (
          <p className={styles.nothing}>{t('noCycle')}</p>
        )}
      </Section>
      <Section title={t('throughput')} about={t('throughputAbout')}>
        <ThroughputChart weeks={weeks} file={`${project}-throughput`} />
      </Section>
      <Section title={t('flow')} about={t('flowAbout')}>
        <Chart
          {...common}
          kind="areas"
          summary={t('flowSummary')}
          series={[
            { id: 'done', label: t('done'), tone: 'ok', values: values(({ done }) => done) },
            { id: 'active', label: t('active'), tone: 'accent', values: values(({ active }) => active) },
            { id: 'backlog', label: t('backlog'), tone: 'muted', values: values(({ backlog }) => backlog) },
          ]}
          file={`${project}-cumulative-flow`}
        />
      </Section>
      <Section title={t('burnup')} about={t('burnupAbout')}>
        <BurnUpChart weeks={weeks} file={`${project}-burn-up`} />
      </Section>
    </div>
  );
}
