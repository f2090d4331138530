import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useItemAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { deletedItemsQuery } from '@/data/items';
import { BringBack } from '@/items/BringBack';
import { plain } from '@/lib/text';
import { dayOf } from '@/lib/times';
import { DateTime } from '@/ui/DateTime';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState } from '@/ui/states';
import styles from './item.module.css';
import { t } from './strings';

/** The address of an item that was deleted. Who may bring it back is told what it was. */
export function DeletedItem({ slug, project, item }: { slug: string; project: string; item: string }) {
  const { data: deleted, isPending } = useQuery(deletedItemsQuery(slug, project));
  const { write, frozen } = useItemAccess(slug, project);
  const mine = deleted?.find(({ key }) => key === item);
  if (isPending) {
    return (
      <Page title={item} bare>
        <Skeleton label={t('loading', { key: item })} rows={3} />
      </Page>
    );
  }
  return (
    <Page title={t('itemGone', { key: item })} bare>
      <EmptyState icon={Trash2} title={t('itemGone', { key: item })}>
        <div className={styles.deleted}>
          {mine ? (
            <>
              <p>{plain(mine.title)}</p>
              <p>
                {t('itemDeletedBy', { name: plain(mine.deletedBy.name) })} <DateTime at={mine.deletedAt} />
              </p>
              <p>{t('itemUntil', { day: dayOf(mine.restorableUntil) })}</p>
              {write && <BringBack place={{ slug, project }} item={item} refusal={frozen} size="regular" />}
            </>
          ) : (
            <p>{t('itemNotYours')}</p>
          )}
          <p>
            <Link
              to="/o/$slug/p/$project/board"
              params={{ slug, project }}
              className={`link ${styles.toBoard}`}
            >
              {t('toBoard')}
            </Link>
          </p>
        </div>
      </EmptyState>
    </Page>
  );
}
