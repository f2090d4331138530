/** What is shown when there is no screen to show. */
import { Link, useRouter } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { isOffline, isProblem } from '@/api/problem';
import { cx } from '@/lib/class-names';
import { Button } from '@/ui/Button';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { Page } from './Page';
import styles from './States.module.css';
import { t } from './strings';

/** Nothing that the viewer can see: missing, removed or hidden, always in the same words. */
export function Missing() {
  return (
    <Page title={t('missingTitle')} bare>
      <div className={styles.nothing}>
        <EmptyState icon={SearchX} title={t('missing')}>
          <p>{t('missingDetail')}</p>
          <Link to="/" className={cx('link', styles.home)}>
            {t('goHome')}
          </Link>
        </EmptyState>
      </div>
    </Page>
  );
}

/** A screen that failed. Only its own place shows that. */
export function Crash({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  if (isProblem(error, 'not-found')) return <Missing />;
  const again = () => {
    reset?.();
    void router.invalidate();
  };
  return (
    <Page title={t('crashed')} bare>
      <ProblemPanel error={error} retry={isOffline(error) ? again : undefined} />
      <div className={styles.missing}>
        <Button onClick={() => location.reload()}>{t('reload')}</Button>
      </div>
    </Page>
  );
}
