/** What is shown when there is no screen to show. */
import { Link, useRouter } from '@tanstack/react-router';
import { isOffline, isProblem } from '@/api/problem';
import { Button } from '@/ui/Button';
import { ProblemPanel } from '@/ui/states';
import { Page } from './Page';
import styles from './States.module.css';
import { t } from './strings';

/** Nothing that the viewer can see: missing, removed or hidden, always in the same words. */
export function Missing() {
  return (
    <Page title={t('missingTitle')} bare>
      <div className={styles.missing}>
        <p className={styles.sentence}>{t('missing')}</p>
        <p>{t('missingDetail')}</p>
        <Link to="/" className="link">
          {t('goHome')}
        </Link>
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
