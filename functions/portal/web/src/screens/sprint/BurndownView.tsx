import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { useId } from 'react';
import type { components } from '@/api/schema';
import { burndownQuery } from '@/data/sprints';
import { cx } from '@/lib/class-names';
import table from '@/ui/Numbers.module.css';
import { Section } from '@/ui/Section';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { chart, HEIGHT, path, WIDTH } from './chart';
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
  const id = useId();
  const left = (point: Burndown['points'][number]) =>
    estimated ? point.work.remaining : point.work.unfinished;
  const drawn = chart(
    burndown.points.map((point) => ({ at: point.at, remaining: left(point) })),
    burndown.sprint.end ?? undefined,
  );
  const last = burndown.points.at(-1);
  const first = burndown.points[0];
  return (
    <figure className={styles.figure}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id} className={styles.chart}>
        <title id={id}>{t('summary', { first: first ? left(first) : 0, last: last ? left(last) : 0 })}</title>
        {drawn.ticks.map(({ value, y }) => (
          <g key={y}>
            <line x1={40} x2={WIDTH - 28} y1={y} y2={y} className={styles.grid} />
            <text x={34} y={y + 4} textAnchor="end">
              {value}
            </text>
          </g>
        ))}
        {drawn.days.map(({ label, x }) => (
          <text key={label} x={x} y={HEIGHT - 4} textAnchor="middle">
            {label}
          </text>
        ))}
        <path d={path(drawn.ideal)} className={styles.ideal} />
        <path d={path(drawn.remaining)} className={styles.remaining} />
        {drawn.remaining.map(({ x, y }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={3} className={styles.dot} />
        ))}
      </svg>
      <figcaption className={styles.legend}>
        <span className={styles.keyRemaining}>{t('remaining')}</span>
        <span className={styles.keyIdeal}>{t('ideal')}</span>
      </figcaption>
    </figure>
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
              <th scope="row">
                {burndown.points[at + 1]?.day === point.day ? t('atStart') : dayOf(point.day)}
              </th>
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
