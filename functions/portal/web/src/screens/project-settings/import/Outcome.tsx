import { Link } from '@tanstack/react-router';
import form from '@/app/form.module.css';
import { FormProblem } from '@/app/Outside';
import { cx } from '@/lib/class-names';
import { save } from '@/lib/save';
import { Button } from '@/ui/Button';
import { Section } from '@/ui/Section';
import type { Came } from './bringing';
import styles from './import.module.css';
import { type Found, Missing } from './Preview';
import { t } from './strings';

interface OutcomeProps {
  slug: string;
  project: string;
  found: Found;
  came: Came;
  busy: boolean;
  error: unknown;
  stop: () => void;
  goOn: () => void;
}

/** How far an import is, and what came of it. */
export function Outcome({ slug, project, found, came, busy, error, stop, goOn }: OutcomeProps) {
  const { done, records, created, changed, unchanged, skipped, next } = came;
  const isDone = next === undefined;
  const words = t('progress', { done, records });
  const missed = [...found.misses, ...skipped];
  const report = () => save(lines(missed), 'import-report.ndjson', 'application/x-ndjson');
  return (
    <Section title={t(isDone ? 'came' : 'coming')}>
      {!isDone && (
        <>
          <progress className={styles.progress} value={done} max={records} aria-label={words} />
          <p aria-live="polite">{words}</p>
        </>
      )}
      {!isDone && !busy && error === undefined && <p>{t('stopped')}</p>}
      <FormProblem error={error} />
      {isDone && (
        <p role="status">
          {created + changed === 0 ? t('allThere') : t('result', { created, changed, unchanged })}
        </p>
      )}
      {isDone && <Missing of={[...found.missing, ...counted(skipped)]} />}
      <div className={form.row}>
        {busy && <Button onClick={stop}>{t('stop')}</Button>}
        {!busy && !isDone && (
          <Button kind="primary" onClick={goOn}>
            {t('goOn')}
          </Button>
        )}
        {isDone && missed.length > 0 && <Button onClick={report}>{t('report')}</Button>}
        {isDone && (
          <Link to="/o/$slug/p/$project/board" params={{ slug, project }} className={cx('link')}>
            {t('board')}
          </Link>
        )}
      </div>
    </Section>
  );
}

function lines(of: readonly object[]): string[] {
  return of.map((one) => `${JSON.stringify(one)}\n`);
}

/** How much was skipped for each reason. */
function counted(skipped: Came['skipped']): Found['missing'] {
  const counts = new Map<string, Found['missing'][number]>();
  for (const { kind, reason } of skipped) {
    const known = counts.get(`${kind} ${reason}`) ?? { kind, reason, count: 0 };
    counts.set(`${kind} ${reason}`, { ...known, count: known.count + 1 });
  }
  return [...counts.values()];
}
