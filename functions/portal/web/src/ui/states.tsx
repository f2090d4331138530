/** What a panel shows instead of its content: nothing yet, a problem, a bar about its state. */
import type { LucideIcon } from 'lucide-react';
import { CircleAlert, CloudOff, Lock, SearchX, TriangleAlert } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { detailOf, OFFLINE, ProblemError, problemOf } from '@/api/problem';
import { cx } from '@/lib/class-names';
import { lazyPart } from '@/lib/parts';
import { Button } from './Button';
import { Keys } from './Chip';
import { Icon } from './Icon';
import { useRefusal } from './refusal';
import styles from './states.module.css';
import { t } from './strings';

// Few pages have a problem, and none waits for its button.
const CopyField = lazyPart(() => import('./CopyField').then(({ CopyField: field }) => ({ default: field })));

interface EmptyStateProps {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  /** The one thing to do about it. */
  action?: { label: string; keys?: string; run: () => void; icon?: LucideIcon } | undefined;
}

/** One sentence, one action, its key. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {icon && (
        <span className={styles.emblem}>
          <Icon of={icon} size={20} />
        </span>
      )}
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.detail}>{children}</div>}
      {action && (
        <Button kind="primary" {...(action.icon ? { icon: action.icon } : {})} onClick={action.run}>
          {action.label}
          {action.keys && <Keys keys={action.keys} />}
        </Button>
      )}
    </div>
  );
}

/** A problem in its panel: what happened, what to do, the trace id to copy, and Retry. */
export function ProblemPanel({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const problem = problemOf(error);
  const wait = useCountdown(error instanceof ProblemError ? error.retryAfter : undefined);
  const missing = problem.status === 404;
  // Deleted: there is nothing wrong that a trace would tell more of, and asking again changes nothing.
  const gone = missing || problem.status === 410;
  const icon = gone ? SearchX : problem.type === OFFLINE ? CloudOff : CircleAlert;
  const panel = useRefusal<HTMLDivElement>(error);
  return (
    <div ref={panel} className={styles.empty} role={gone ? undefined : 'alert'}>
      <span className={cx(styles.emblem, !gone && styles.bad)}>
        <Icon of={icon} size={20} />
      </span>
      <p className={styles.title}>{problem.title}</p>
      {!missing && <p className={styles.detail}>{detailOf(problem)}</p>}
      {problem.traceId && !gone && (
        <Suspense fallback={<code>{problem.traceId}</code>}>
          <CopyField label={t('trace')} value={problem.traceId} />
        </Suspense>
      )}
      {retry && !gone && (
        <Button onClick={retry} {...(wait > 0 ? { refusal: t('wait', { seconds: wait }) } : {})}>
          {wait > 0 ? t('retryIn', { seconds: wait }) : t('retry')}
        </Button>
      )}
    </div>
  );
}

/** Seconds that remain, counted down each second. */
export function useCountdown(seconds: number | undefined): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    setLeft(seconds ?? 0);
    if (!seconds) return undefined;
    const until = performance.now() + seconds * 1000;
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1000))), 500);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}

const BANNERS = { info: CircleAlert, warn: TriangleAlert, bad: CircleAlert, locked: Lock, offline: CloudOff };

/** A slim bar across a page: archived, read-only, offline. */
export function Banner({
  kind,
  children,
  action,
}: {
  kind: keyof typeof BANNERS;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={cx(styles.banner, styles[kind])} role="status">
      <Icon of={BANNERS[kind]} size={14} />
      <span>{children}</span>
      {action}
    </div>
  );
}
