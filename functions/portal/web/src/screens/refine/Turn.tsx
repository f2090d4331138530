import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { act } from '@/data/act';
import { cancelRun, runQuery } from '@/data/factory';
import type { Refinement } from '@/data/refinement';
import { plain } from '@/lib/text';
import { explain } from '@/runs/explain';
import { isLive } from '@/runs/live';
import { RunChip } from '@/runs/RunChip';
import { Button } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import { Answers } from './Answers';
import { Decide } from './Decide';
import type { TurnProps } from './props';
import styles from './refine.module.css';
import { Start } from './Start';
import { t } from './strings';

/** Whose turn it is, and what they do with it. */
export function Turn(props: TurnProps) {
  const { refinement } = props;
  if (!refinement) return <Start {...props} lead={t('about')} action={t('refine')} />;
  switch (refinement.status) {
    case 'running':
      return <Working {...props} refinement={refinement} />;
    case 'questions':
      return <Answers {...props} refinement={refinement} />;
    case 'proposed':
      return <Decide {...props} refinement={refinement} />;
    case 'confirmed':
      return <Confirmed {...props} refinement={refinement} />;
    default:
      return <Failed {...props} refinement={refinement} />;
  }
}

function Working({ slug, item, refinement }: TurnProps & { refinement: Refinement }) {
  const { data: run } = useQuery(runQuery(slug, refinement.run));
  const keys = [
    ['refinement', slug, item.key],
    ['run', slug, refinement.run],
  ];
  return (
    <section className={styles.turn} data-agent aria-live="polite">
      <p>{t('working', { agent: plain(refinement.agent.name) })}</p>
      {run && <RunChip run={run} operator />}
      <div className={styles.foot}>
        <Link to="/o/$slug/factory/runs/$run" params={{ slug, run: refinement.run }} className="link">
          {t('log')}
        </Link>
        {run && isLive(run) && (
          <Button size="small" kind="ghost" onClick={() => void act(() => cancelRun(run), ...keys)}>
            {t('cancel')}
          </Button>
        )}
      </div>
    </section>
  );
}

function Failed(props: TurnProps & { refinement: Refinement }) {
  const { data: run } = useQuery(runQuery(props.slug, props.refinement.run));
  const why = run && explain(run, { operator: true });
  const lead = why && run.status !== 'succeeded' ? [why.happened, why.next].join(' ') : t('failed');
  return <Start {...props} lead={lead} action={t('again')} />;
}

function Confirmed(props: TurnProps & { refinement: Refinement }) {
  const { slug, project, item, refinement } = props;
  return (
    <>
      <section className={styles.turn}>
        <h2 className={styles.heading}>{t('confirmed')}</h2>
        <p className={styles.about}>
          {t('done', { name: plain(refinement.confirmedBy?.name ?? '') })}{' '}
          {refinement.confirmedAt && <DateTime at={refinement.confirmedAt} />}
        </p>
        <div className={styles.foot}>
          <Link
            to="/o/$slug/p/$project/items/$item"
            params={{ slug, project, item: item.key }}
            className="link"
          >
            {t('openItem')}
          </Link>
        </div>
      </section>
      <Start {...props} action={t('again')} />
    </>
  );
}
