import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isProblem } from '@/api/problem';
import { useItemAccess } from '@/app/access';
import { Crumb, Page } from '@/app/Page';
import { useRouteParams } from '@/app/params';
import { Missing } from '@/app/States';
import { itemQuery } from '@/data/items';
import { refinementQuery } from '@/data/refinement';
import { queries } from '@/store/queries';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { Rounds } from './Rounds';
import styles from './refine.module.css';
import { t } from './strings';
import { Ticket } from './Ticket';
import { Turn } from './Turn';

/** A ticket that an agent makes better: what it would become, and the rounds of questions that lead there. */
export default function RefineScreen() {
  const { slug, project, item: key } = useRouteParams('slug', 'project', 'item');
  const access = useItemAccess(slug, project);
  const item = useQuery(itemQuery(slug, key));
  const found = useQuery({ ...refinementQuery(slug, key), enabled: access.operate });
  useFreshItem(slug, key, found.data?.itemVersion, item.data?.version);
  const error = item.error ?? found.error;
  if (!access.operate || isProblem(error, 'not-found')) return <Missing />;
  const crumbs = (
    <Crumb>
      <Link to="/o/$slug/p/$project/items/$item" params={{ slug, project, item: key }}>
        {key}
      </Link>
    </Crumb>
  );
  return (
    <Page title={t('title', { item: key })} crumbs={crumbs}>
      {error ? (
        <ProblemPanel error={error} retry={() => void Promise.all([item.refetch(), found.refetch()])} />
      ) : !item.data || found.data === undefined ? (
        <div className={styles.body}>
          <Skeleton label={t('loading')} rows={10} />
        </div>
      ) : (
        <div className={styles.body}>
          <Ticket item={item.data} refinement={found.data} />
          <div className={styles.side}>
            <Turn
              slug={slug}
              project={project}
              item={item.data}
              refinement={found.data}
              write={access.write}
              frozen={access.frozen}
            />
            {found.data && <Rounds slug={slug} refinement={found.data} />}
          </div>
        </div>
      )}
    </Page>
  );
}

/** The ticket is read again when the refinement tells of a newer version of it. */
function useFreshItem(slug: string, key: string, newest: number | undefined, held: number | undefined): void {
  useEffect(() => {
    if (newest !== undefined && held !== undefined && newest > held)
      void queries.invalidateQueries({ queryKey: itemQuery(slug, key).queryKey });
  }, [slug, key, newest, held]);
}
