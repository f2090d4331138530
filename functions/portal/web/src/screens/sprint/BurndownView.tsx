import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { useMemo } from 'react';
import type { components } from '@/api/schema';
import { burndownQuery } from '@/data/sprints';
import { cx } from '@/lib/class-names';
import { Chart } from '@/ui/chart/Chart';
import table from '@/ui/Numbers.module.css';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { pace } from './pace';
import styles from './sprint.module.css';
import { t } from './strings';

type Burndown = components['schemas']['Burndown'];

/** What remains day by day: as a picture, and as a table with the same numbers. */
export function BurndownView({ slug, id }: { slug: string; id: string }) {
  const { data, error, refetch } = useQuery(burndownQuery(slug, id));
  if (error && !data) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!data) {
    return (
      <div className={styles.loading}>
        <Skeleton label={t('loading')} rows={8} />
      </div>
    );
  }
  if (data.points.length === 0)
    return (
      <EmptyState icon={ChartLine} title={t('noBurndown')}>
        {t('noBurndownHint')}
      </EmptyState>
    );
  const estimated = data.points.some((point) => point.work.estimate > 0);
  return (
    <div className={styles.burndown}>
      <Section title={t(estimated ? 'remainingWork' : 'remainingItems')}>
        <Picture burndown={data} estimated={estimated} />
      </Section>
      <Section title={t('byDay')}>
        <Numbers burndown={data} />
      </Section>
    </div>
  );
}

function Picture({ burndown, estimated }: { burndown: Burndown; estimated: boolean }) {
  const left = burndown.points.map(({ work }) => (estimated ? work.remaining : work.unfinished));
  const { days, ideal } = useMemo(() => pace(burndown), [burndown]);
  const first = left[0] ?? 0;
  return (
    <Chart
      kind="lines"
      summary={t('summary', { first, last: left.at(-1) ?? 0 })}
      head={t('day')}
      categories={[t('atStart'), ...days.map(dayOf)]}
      series={[
        {
          id: 'ideal',
          label: t('ideal'),
          tone: 'muted',
          dashed: true,
          values: ideal.map((part) => part * first),
        },
        { id: 'remaining', label: t('remaining'), tone: 'accent', values: left },
      ]}
      file={t('file', { name: burndown.sprint.name })}
      table={false}
    />
  );
}

function Numbers({ burndown }: { burndown: Burndown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways scrolls by keys too.
    <section className={table.box} tabIndex={0} aria-label={t('byDay')}>
      <table className={cx(table.numbers, styles.numbers)}>
        <thead>
          <tr>
            {(['day', 'remaining', 'unfinished', 'addedItems', 'removedItems'] as const).map((name) => (
              <th key={name} scope="col">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {burndown.points.map((point, at) => (
            <tr key={point.at}>
              <th scope="row">{at === 0 ? t('atStart') : dayOf(point.day)}</th>
              <td>{point.work.remaining}</td>
              <td>{t('ofItems', { n: point.work.unfinished, of: point.work.items })}</td>
              <td>{point.added || ''}</td>
              <td>{point.removed || ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function dayOf(iso: string): string {
  return day.format(Date.parse(iso.slice(0, 10)));
}
