import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { data, http } from '@/api/client';
import { useItemAccess } from '@/app/access';
import { act } from '@/data/act';
import { binQuery } from '@/data/wiki';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import { Row, Rows } from '@/ui/Rows';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { t } from './strings';
import { parentOf } from './tree';
import styles from './wiki.module.css';

/** Deleted pages, which can be brought back with all their versions. */
export function Bin({ slug, project }: { slug: string; project: string }) {
  const { data: pages, error, refetch } = useQuery(binQuery(slug, project));
  const { write, frozen } = useItemAccess(slug, project);
  if (error) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!pages) {
    return (
      <div className={styles.article}>
        <Skeleton label={t('loading')} rows={4} height={40} />
      </div>
    );
  }
  if (pages.length === 0) return <EmptyState icon={Trash2} title={t('binEmpty')} />;
  const restore = (id: string) =>
    void act(
      () =>
        data(
          http.POST('/api/v1/orgs/{slug}/projects/{key}/wiki/deleted/{id}/restore', {
            params: { path: { slug, key: project, id } },
          }),
        ),
      ['wiki', slug, project],
    );
  return (
    <Rows label={t('bin')}>
      {pages.map((page) => (
        <Row
          key={page.id}
          glyph={<Icon of={Trash2} size={14} />}
          title={plain(page.title)}
          detail={[plain(parentOf(page.path)), t('deletedBy', { who: plain(page.deletedBy.name) })]
            .filter(Boolean)
            .join(' · ')}
          facts={[<DateTime key="at" at={page.deletedAt} />]}
          actions={
            write && (
              <Button size="small" refusal={frozen} onClick={() => restore(page.id)}>
                {t('bringBack')}
              </Button>
            )
          }
        />
      ))}
    </Rows>
  );
}
