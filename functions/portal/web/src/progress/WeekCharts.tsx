/** What happened week by week, drawn alike wherever it is shown. */
import type { components } from '@/api/schema';
import { dayOf } from '@/lib/times';
import { Chart } from '@/ui/chart/Chart';
import { t } from './week-strings';

export type Week = components['schemas']['WeekStats'];

interface WeekChartProps {
  weeks: readonly Week[];
  /** Name of the file with its numbers. */
  file: string;
}

/** What charts of weeks have in common. */
export function alongWeeks(weeks: readonly Week[]): { head: string; categories: string[] } {
  return { head: t('week'), categories: weeks.map(({ begins }) => dayOf(`${begins}T00:00`)) };
}

/** Items created and finished. */
export function ThroughputChart({ weeks, file }: WeekChartProps) {
  return (
    <Chart
      {...alongWeeks(weeks)}
      kind="bars"
      summary={t('throughput')}
      series={[
        { id: 'created', label: t('created'), tone: 'muted', values: weeks.map(({ created }) => created) },
        { id: 'finished', label: t('finished'), tone: 'ok', values: weeks.map(({ resolved }) => resolved) },
      ]}
      file={file}
    />
  );
}

/** All items and those that were done. */
export function BurnUpChart({ weeks, file }: WeekChartProps) {
  const all = weeks.map(({ backlog, active, done }) => backlog + active + done);
  return (
    <Chart
      {...alongWeeks(weeks)}
      kind="lines"
      summary={t('burnup')}
      series={[
        { id: 'scope', label: t('scope'), tone: 'muted', dashed: true, values: all },
        { id: 'done', label: t('done'), tone: 'ok', values: weeks.map(({ done }) => done) },
      ]}
      file={file}
    />
  );
}
