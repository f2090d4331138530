import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { isProblem } from '@/api/problem';
import { useItemAccess } from '@/app/access';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { deletedItemsQuery } from '@/data/items';
import { projectQuery } from '@/data/projects';
import { BringBack } from '@/items/BringBack';
import { plain } from '@/lib/text';
import { dayOf } from '@/lib/times';
import { DateTime } from '@/ui/DateTime';
import { TypeGlyph } from '@/ui/glyphs';
import { Row, Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import styles from './deleted-items.module.css';
import { t } from './strings';

/** A project's deleted items that the viewer can bring back. */
export default function DeletedItems() {
  const { slug, project } = useRouteParams('slug', 'project');
  const about = useQuery(projectQuery(slug, project));
  const { data: deleted, error, refetch } = useQuery(deletedItemsQuery(slug, project));
  const { write, frozen } = useItemAccess(slug, project);
  if (isProblem(about.error ?? error, 'not-found')) return <Missing />;
  return (
    <>
      <FrozenBar slug={slug} project={about.data} />
      <Page title={t('title')}>
        {error ? (
          <ProblemPanel error={error} retry={() => void refetch()} />
        ) : !deleted ? (
          <div className={styles.loading}>
            <Skeleton label={t('loading')} rows={4} height={40} />
          </div>
        ) : deleted.length === 0 ? (
          <EmptyState icon={Trash2} title={t('empty')} />
        ) : (
          <>
            <p className={`meta ${styles.about}`}>{t('about')}</p>
            <Rows label={t('title')}>
              {deleted.map((item) => (
                <Row
                  key={item.key}
                  glyph={<TypeGlyph type={item.type} labelled />}
                  title={`${item.key} ${plain(item.title)}`}
                  detail={t('deletedBy', { name: plain(item.deletedBy.name) })}
                  facts={[
                    <DateTime key="at" at={item.deletedAt} />,
                    t('until', { day: dayOf(item.restorableUntil) }),
                  ]}
                  actions={write && <BringBack place={{ slug, project }} item={item.key} refusal={frozen} />}
                />
              ))}
            </Rows>
          </>
        )}
      </Page>
    </>
  );
}
