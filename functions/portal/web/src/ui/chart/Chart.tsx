import { Download } from 'lucide-react';
import { useCallback, useId, useMemo, useState } from 'react';
import { cx } from '@/lib/class-names';
import { save } from '@/lib/save';
import { Button } from '../Button';
import numbers from '../Numbers.module.css';
import styles from './chart.module.css';
import { csvOf } from './csv';
import { draw, HEIGHT, type Kind, type Series } from './geometry';
import { t } from './strings';

interface ChartProps {
  kind: Kind;
  /** What it shows in a sentence, for who does not see it. */
  summary: string;
  /** What the categories are: the head of the table's first column. */
  head: string;
  categories: readonly string[];
  series: readonly Series[];
  /** How values are written in the table and beside the lines. */
  format?: (value: number) => string;
  /** What the picture reaches up to at least. */
  top?: number;
  /** Name of the file with its numbers. */
  file: string;
  /** False where the numbers stand beside it already. */
  table?: boolean;
}

const plainNumber = (value: number) => value.toLocaleString('en');

/** Numbers as a picture, and the same numbers as a table and as a file. */
export function Chart({
  kind,
  summary,
  head,
  categories,
  series,
  format = plainNumber,
  top,
  file,
  table = true,
}: ChartProps) {
  const id = useId();
  const [width, measured] = useWidth();
  const drawn = useMemo(
    () => draw(kind, categories.length, series, { width, format, top }),
    [kind, categories, series, width, format, top],
  );
  return (
    <figure className={styles.figure}>
      <svg
        ref={measured}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        role="img"
        aria-labelledby={id}
        className={styles.chart}
      >
        <title id={id}>{summary}</title>
        {drawn.ticks.map(({ label, y }) => (
          <g key={label}>
            <line x1={drawn.left} x2={width} y1={y} y2={y} className={styles.grid} />
            <text x={drawn.left - 6} y={y + 4} textAnchor="end">
              {label}
            </text>
          </g>
        ))}
        {drawn.labels.map(({ at, x }) => (
          <text key={at} x={x} y={HEIGHT - 6} textAnchor="middle">
            {categories[at]}
          </text>
        ))}
        {drawn.shapes.map(({ series: one, path, dots }) => (
          <g key={one.id} className={styles[one.tone]}>
            <path
              d={path}
              className={cx(kind === 'areas' ? styles.area : styles.line, one.dashed && styles.dashed)}
            />
            {dots.map(({ x, y }) => (
              <circle key={x} cx={x} cy={y} r={2.5} className={styles.dot} />
            ))}
          </g>
        ))}
        {drawn.bars.map(({ series: one, at, x, y, width, height }) => (
          <g key={`${one.id} ${at}`} className={styles[one.tone]}>
            <rect x={x} y={y} width={width} height={height} rx={1.5} className={styles.bar} />
          </g>
        ))}
      </svg>
      <figcaption className={styles.foot}>
        <ul className={styles.legend}>
          {series.map((one) => (
            <li key={one.id} className={cx(styles.key, styles[one.tone], one.dashed && styles.keyDashed)}>
              {one.label}
            </li>
          ))}
        </ul>
        <Button
          kind="ghost"
          size="small"
          icon={Download}
          onClick={() => save(csvOf(head, categories, series), `${file}.csv`, 'text/csv')}
        >
          {t('csv')}
        </Button>
      </figcaption>
      {table && (
        <details className={styles.details}>
          <summary>{t('table')}</summary>
          <Numbers summary={summary} head={head} categories={categories} series={series} format={format} />
        </details>
      )}
    </figure>
  );
}

type NumbersProps = Pick<ChartProps, 'summary' | 'head' | 'categories' | 'series'> &
  Required<Pick<ChartProps, 'format'>>;

function Numbers({ summary, head, categories, series, format }: NumbersProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways scrolls by keys too.
    <section className={numbers.box} tabIndex={0} aria-label={summary}>
      <table className={cx(numbers.numbers, styles.dense)}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {series.map((one) => (
              <th key={one.id} scope="col">
                {one.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {categories.map((category, at) => (
            <tr key={category}>
              <th scope="row">{category}</th>
              {series.map(({ id: one, values }) => {
                const value = values[at];
                return <td key={one}>{value === undefined ? '–' : format(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** How wide a picture is: its texts have their own size at every width. */
function useWidth(): [number, (svg: SVGSVGElement | null) => (() => void) | undefined] {
  const [width, setWidth] = useState(720);
  const measured = useCallback((svg: SVGSVGElement | null) => {
    if (!svg) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, svg.clientWidth)));
    observer.observe(svg);
    return () => observer.disconnect();
  }, []);
  return [width, measured];
}
