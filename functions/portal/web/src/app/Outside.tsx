import { type ReactNode, useEffect } from 'react';
import { detailOf, isProblem, ProblemError, problemOf } from '@/api/problem';
import type { Told } from '@/lib/told';
import { useRefusal } from '@/ui/refusal';
import { useCountdown } from '@/ui/states';
import { Toasts } from '@/ui/Toasts';
import { Tooltip } from '@/ui/Tooltip';
import styles from './Outside.module.css';
import { t } from './outside-strings';

interface OutsideProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Under the card: where else to go. */
  foot?: ReactNode;
  /** Which step of how many. */
  step?: { at: number; of: number };
}

/** The frame of pages for who is not signed in: a card on a quiet page. */
export function Outside({ title, lead, children, foot, step }: OutsideProps) {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    <main className={styles.outside}>
      <div className={styles.column}>
        <Mark />
        <div className={styles.card}>
          {step && (
            <div className={styles.steps} role="img" aria-label={t('step', { at: step.at, of: step.of })}>
              {Array.from({ length: step.of }, (_, at) => (
                <span key={at} data-done={at < step.at || undefined} />
              ))}
            </div>
          )}
          <h1 className={styles.title}>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
          {children}
        </div>
        {foot && <div className={styles.foot}>{foot}</div>}
      </div>
      <Toasts />
      <Tooltip />
    </main>
  );
}

function Mark() {
  return (
    <div className={styles.mark}>
      <img src="/icon.svg" alt="" width={28} height={28} />
      <span>svc</span>
    </div>
  );
}

/** What went wrong with a form as a whole, with the wait where the service asks for one. */
export function FormProblem({ error }: { error: unknown }) {
  const wait = useCountdown(error instanceof ProblemError ? error.retryAfter : undefined);
  const line = useRefusal<HTMLParagraphElement>(error);
  if (error === undefined) return null;
  const problem = problemOf(error);
  const text = isProblem(error, 'rate-limited')
    ? t('throttled', { seconds: wait })
    : detailOf(problem) || problem.title;
  return (
    <p ref={line} role="alert" className={styles.problem}>
      {isProblem(error, 'wrong-password') ? t('wrong') : text}
      {problem.traceId && problem.status >= 500 && <span className={styles.trace}>{problem.traceId}</span>}
    </p>
  );
}

/** Why the service sent somebody here who came back from another site. */
export function ToldProblem({ told, otherwise }: { told: Told | undefined; otherwise: string }) {
  const { detail, title, trace } = told ?? { title: otherwise };
  const text = detail ?? title;
  return (
    <p role="alert" className={styles.problem}>
      {text.charAt(0).toUpperCase() + text.slice(1).replace(/[^.]$/, '$&.')}
      {trace && <span className={styles.trace}>{trace}</span>}
    </p>
  );
}
