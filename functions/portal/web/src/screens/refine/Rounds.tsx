import { Link } from '@tanstack/react-router';
import type { Refinement, RefinementRound } from '@/data/refinement';
import { plain } from '@/lib/text';
import { DateTime } from '@/ui/DateTime';
import styles from './refine.module.css';
import { t } from './strings';

/** What was asked and answered, the newest round first. */
export function Rounds({ slug, refinement }: { slug: string; refinement: Refinement }) {
  const { rounds, forgottenRounds } = refinement;
  return (
    <section className={styles.ticket} aria-labelledby="rounds">
      <h2 id="rounds" className={styles.heading}>
        {t('rounds')}
      </h2>
      <ol className={styles.rounds} reversed>
        {rounds
          .map((round, at) => (
            <Round
              key={round.run}
              slug={slug}
              round={round}
              number={forgottenRounds + at + 1}
              next={rounds[at + 1]}
            />
          ))
          .reverse()}
      </ol>
      {forgottenRounds > 0 && <p className="meta">{t('forgotten', { n: forgottenRounds })}</p>}
    </section>
  );
}

interface RoundProps {
  slug: string;
  round: RefinementRound;
  number: number;
  /** The round after it, with the answers to its questions. */
  next: RefinementRound | undefined;
}

function Round({ slug, round, number, next }: RoundProps) {
  const answered = next?.answers.map(({ question }) => question) ?? [];
  // The questions of the last round stand in the form.
  const open = next ? round.questions.filter((question) => !answered.includes(question)) : [];
  return (
    <li className={styles.round}>
      <div className={styles.roundHead}>
        <strong>{t('round', { n: number })}</strong>
        <span>{t('asked', { name: plain(round.requestedBy.name) })}</span>
        <DateTime at={round.requestedAt} />
        <Link to="/o/$slug/factory/runs/$run" params={{ slug, run: round.run }} className="link">
          {t('log')}
        </Link>
      </div>
      {round.answers.map(({ question, answer }) => (
        <Said key={question} by={question} text={answer} />
      ))}
      {round.note && <Said by={t('note')} text={round.note} />}
      {open.map((question) => (
        <Said key={question} by={question} text={t('unanswered')} />
      ))}
    </li>
  );
}

function Said({ by, text }: { by: string; text: string }) {
  return (
    <div className={styles.said}>
      <p dir="auto">{by}</p>
      <p dir="auto">{text}</p>
    </div>
  );
}
