import { useQuery } from '@tanstack/react-query';
import { isProblem } from '@/api/problem';
import { useSearchParams } from '@/app/params';
import { versionQuery } from '@/data/wiki';
import { hasMarks, useNames } from '@/items/useNames';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { DateTime } from '@/ui/DateTime';
import { Prose } from '@/ui/Prose';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import { Contents } from './Contents';
import { PageEditor } from './PageEditor';
import type { OfPage } from './page';
import { t } from './strings';
import { Versions } from './Versions';
import styles from './wiki.module.css';

/** A page: read, edited, or its versions, as the address says. */
export function PageView({ slug, project, page }: OfPage) {
  const names = useNames(slug, project, hasMarks(page.html));
  const [search] = useSearchParams();
  if (search.edit && page.canEdit) return <PageEditor slug={slug} project={project} page={page} />;
  if (search.version)
    return <OldVersion slug={slug} project={project} page={page} number={Number(search.version)} />;
  if (search.diff !== undefined || search.versions)
    return <Versions slug={slug} project={project} page={page} />;
  return (
    <article className={styles.article}>
      <p className={styles.byline}>
        <Avatar name={page.updatedBy.name} agent={page.updatedBy.agent} size={16} decorative />
        <span>{t('updated', { who: plain(page.updatedBy.name), version: page.version })}</span>
        <DateTime at={page.updatedAt} />
      </p>
      <div className={styles.withContents}>
        {page.body.trim() === '' ? (
          <EmptyState title={t('emptyPage')} />
        ) : (
          <Prose html={page.html} text={page.body} names={names} className={styles.prose} />
        )}
        <Contents html={page.html ?? ''} />
      </div>
    </article>
  );
}

function OldVersion({ slug, project, page, number }: OfPage & { number: number }) {
  const names = useNames(slug, project);
  const { data, error } = useQuery(versionQuery(slug, project, page.path, number));
  if (error)
    return isProblem(error, 'not-found') ? (
      <EmptyState title={t('noVersion')} />
    ) : (
      <ProblemPanel error={error} />
    );
  if (!data) {
    return (
      <div className={styles.article}>
        <Skeleton label={t('loading')} rows={8} />
      </div>
    );
  }
  return (
    <article className={styles.article}>
      <p className={styles.byline}>
        <span>
          {t('oldVersion', { version: data.version, current: page.version, who: plain(data.author.name) })}
        </span>
        <DateTime at={data.at} />
      </p>
      <Prose html={data.html} text={data.body} names={names} className={styles.prose} />
    </article>
  );
}
