import { Button } from '@/ui/Button';
import styles from './factory.module.css';
import { t } from './strings';

interface PagerProps {
  page: number;
  pages: number;
  /** How many there are, in words. */
  text: string;
  turn: (page: number) => void;
}

/** Under a list of pages, newest first. */
export function Pager({ page, pages, text, turn }: PagerProps) {
  return (
    <nav className={styles.pager} aria-label={t('pages')}>
      <span>{pages > 1 ? t('pageOf', { page, pages, text }) : text}</span>
      {pages > 1 && (
        <>
          <Button size="small" disabled={page <= 1} onClick={() => turn(page - 1)}>
            {t('newer')}
          </Button>
          <Button size="small" disabled={page >= pages} onClick={() => turn(page + 1)}>
            {t('older')}
          </Button>
        </>
      )}
    </nav>
  );
}
