import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { useMemo } from 'react';
import { useAccess } from '@/app/access';
import { useRouteParams, useSearchParams } from '@/app/params';
import { type FactoryGroup, factoryStatsQuery } from '@/data/insights';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { dayOf, serverNow } from '@/lib/times';
import { cost } from '@/runs/figures';
import { Chart } from '@/ui/chart/Chart';
import { SelectField } from '@/ui/Field';
import table from '@/ui/Numbers.module.css';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { FactoryPage } from '../factory/FactoryPage';
import styles from '../insights/insights.module.css';
import { PeriodField, usePeriod } from '../insights/Period';
import own from './factory-insights.module.css';
import { largest, MEASURES, type Measure, MOST, measured, mondaysOf, type Stats, seriesOf } from './series';
import { t } from './strings';

const GROUPS: readonly FactoryGroup[] = ['playbook', 'harness', 'model', 'agent', 'project'];
const WEEK = 7 * 86_400_000;

/** What agents got done over weeks, compared by what they have in common. */
export default function FactoryInsights() {
  const { slug } = useRouteParams('slug');
  const { operate } = useAccess(slug);
  const [search, change] = useSearchParams();
  const by = GROUPS.find((one) => one === search.by) ?? 'playbook';
  const weeks = usePeriod();
  // The same for a whole day, so that it is the same question.
  const from = useMemo(
    () => new Date(Math.floor((serverNow() - weeks * WEEK) / 86_400_000) * 86_400_000),
    [weeks],
  );
  const stats = useQuery({ ...factoryStatsQuery(slug, by, from.toISOString()), enabled: operate });
  return (
    <FactoryPage title={t('title')}>
      <div className={styles.choices}>
        <SelectField label={t('by')} value={by} onChange={(event) => change({ by: event.target.value })}>
          {GROUPS.map((one) => (
            <option key={one} value={one}>
              {t(`by.${one}` as 'by.agent')}
            </option>
          ))}
        </SelectField>
        <PeriodField />
      </div>
      {stats.error && !stats.data ? (
        <ProblemPanel error={stats.error} retry={() => void stats.refetch()} />
      ) : !stats.data ? (
        <Skeleton label={t('loading')} rows={8} height={60} />
      ) : stats.data.total.runs === 0 ? (
        <EmptyState icon={ChartLine} title={t('empty')}>
          {t('emptyDetail')}
        </EmptyState>
      ) : (
        <Drawn stats={stats.data} by={by} />
      )}
    </FactoryPage>
  );
}

const nameOf = ({ name, key }: Stats['groups'][number]) => (key === '' ? t('ownModel') : plain(name));
const round = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 });

const FORMATS: Record<Measure, (value: number) => string> = {
  success: (value) => t('percent', { n: round(value) }),
  cost: (value) => cost(value) ?? '',
  review: (value) => t('hours', { n: round(value) }),
  rework: (value) => t('percent', { n: round(value) }),
};

function Drawn({ stats, by }: { stats: Stats; by: FactoryGroup }) {
  const categories = mondaysOf(stats).map((monday) => dayOf(`${monday}T00:00`));
  const hidden = stats.groups.length - MOST;
  return (
    <>
      {hidden > 0 && <p className={own.note}>{t('more', { n: hidden })}</p>}
      <div className={styles.charts}>
        {MEASURES.map((measure) => (
          <Section key={measure} title={t(measure)} about={t(`${measure}About`)}>
            <Chart
              kind="lines"
              head={t('week')}
              summary={t('summary', { what: t(measure), by: t(`by.${by}` as 'by.agent') })}
              categories={categories}
              series={seriesOf(stats, measure, nameOf)}
              format={FORMATS[measure]}
              top={measure === 'success' || measure === 'rework' ? 100 : 1}
              file={`agents-${measure}-by-${by}`}
            />
          </Section>
        ))}
      </div>
      <div className={own.totals}>
        <Section title={t('total')}>
          <Totals stats={stats} />
        </Section>
      </div>
    </>
  );
}

function Totals({ stats }: { stats: Stats }) {
  const shown = (measure: Measure, numbers: Stats['total']) => {
    const value = measured(measure, numbers);
    return value === undefined ? '–' : FORMATS[measure](value);
  };
  const all = [
    ...largest(stats).map((group) => ({ name: nameOf(group), numbers: group.numbers, key: group.key })),
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways scrolls by keys too.
    <section className={table.box} tabIndex={0} aria-label={t('total')}>
      <table className={cx(table.numbers, own.table)}>
        <thead>
          <tr>
            <th scope="col">{t('group')}</th>
            <th scope="col">{t('runs')}</th>
            {MEASURES.map((measure) => (
              <th key={measure} scope="col">
                {t(measure)}
              </th>
            ))}
            <th scope="col">{t('perRun')}</th>
          </tr>
        </thead>
        <tbody>
          {[...all, { name: t('total'), numbers: stats.total, key: '\0' }].map(({ name, numbers, key }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{numbers.runs}</td>
              {MEASURES.map((measure) => (
                <td key={measure}>{shown(measure, numbers)}</td>
              ))}
              <td>{cost(numbers.cost / Math.max(1, numbers.runs))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
