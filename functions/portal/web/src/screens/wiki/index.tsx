import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { BookText, FilePlus, Folder, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isProblem } from '@/api/problem';
import { useItemAccess } from '@/app/access';
import { Crumb, Page } from '@/app/Page';
import { useRouteParams, useSearchParams } from '@/app/params';
import { Missing } from '@/app/States';
import { useCommands } from '@/commands/registry';
import { pageQuery, type WikiEntry, wikiQuery } from '@/data/wiki';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import { Skeleton } from '@/ui/Skeleton';
import { Banner, EmptyState, ProblemPanel } from '@/ui/states';
import { Bin } from './Bin';
import { movePage } from './changes';
import { NewPage } from './dialogs';
import { PageActions } from './PageActions';
import { PageView } from './PageView';
import { t } from './strings';
import { isFolder, nameOf, parentOf } from './tree';
import { WikiTree } from './WikiTree';
import styles from './wiki.module.css';

/** The wiki of a project: the tree of pages beside the page. */
export default function Wiki() {
  const { slug, project, _splat: path } = useRouteParams('slug', 'project', '_splat');
  const [search] = useSearchParams();
  const { write, frozen } = useItemAccess(slug, project);
  const tree = useQuery(wikiQuery(slug, project));
  const page = useQuery({ ...pageQuery(slug, project, path), enabled: path !== '' });
  const [creating, setCreating] = useState<'below' | 'here'>();
  const create = () => setCreating('below');
  const navigate = useNavigate();
  const go = (to: string) =>
    void navigate({ to: '/o/$slug/p/$project/wiki/$', params: { slug, project, _splat: to } });
  useCommands(
    write ? [{ id: 'page.new', title: t('new'), group: 'general', refusal: frozen, run: create }] : [],
  );
  const folder = isProblem(page.error, 'not-found') && isFolder(tree.data ?? [], path);
  if ((isProblem(page.error, 'not-found') && tree.data && !folder) || isProblem(tree.error, 'not-found'))
    return <Missing />;
  const title = path ? plain(nameOf(page.data?.path ?? path)) : search.bin ? t('bin') : t('wiki');
  const onMove =
    write && !frozen
      ? (from: string, below: string) =>
          void movePage({ slug, project, entries: tree.data ?? [], from, below, current: path, go })
      : undefined;
  return (
    <Page
      title={title}
      fill
      crumbs={path && <Crumbs slug={slug} project={project} path={path} />}
      actions={
        <>
          {page.data && path && (
            <PageActions slug={slug} project={project} page={page.data} entries={tree.data ?? []} go={go} />
          )}
          {write && (
            <Button size="small" icon={FilePlus} refusal={frozen} onClick={create}>
              {t('new')}
            </Button>
          )}
        </>
      }
    >
      {frozen && <Banner kind="locked">{frozen}</Banner>}
      <div className={styles.wiki} data-page={path !== '' || search.bin ? true : undefined}>
        <nav className={styles.side} aria-label={t('pages')}>
          {tree.error && !tree.data ? (
            <ProblemPanel error={tree.error} retry={() => void tree.refetch()} />
          ) : tree.data ? (
            <WikiTree
              slug={slug}
              project={project}
              entries={tree.data}
              current={page.data?.path ?? path}
              onMove={onMove}
            />
          ) : (
            <Skeleton label={t('loading')} rows={8} height={20} />
          )}
          <Link
            to="/o/$slug/p/$project/wiki"
            params={{ slug, project }}
            search={{ bin: '1' }}
            className={styles.binLink}
          >
            <Icon of={Trash2} size={14} />
            {t('bin')}
          </Link>
        </nav>
        <div className={styles.content}>
          {path ? (
            folder ? (
              <EmptyState
                icon={Folder}
                title={plain(nameOf(path))}
                action={
                  write && !frozen ? { label: t('createHere'), run: () => setCreating('here') } : undefined
                }
              >
                {t('folderHint')}
              </EmptyState>
            ) : isProblem(page.error, 'not-found') && !tree.error ? (
              <div className={styles.article}>
                <Skeleton label={t('loading')} rows={8} />
              </div>
            ) : page.error && !page.data ? (
              <ProblemPanel error={page.error} retry={() => void page.refetch()} />
            ) : page.data ? (
              <PageView key={page.data.id} slug={slug} project={project} page={page.data} />
            ) : (
              <div className={styles.article}>
                <Skeleton label={t('loading')} rows={8} />
              </div>
            )
          ) : search.bin ? (
            <Bin slug={slug} project={project} />
          ) : (
            tree.data && <Start entries={tree.data} create={write && !frozen ? create : undefined} />
          )}
        </div>
      </div>
      {creating && (
        <NewPage
          slug={slug}
          project={project}
          below={creating === 'here' ? parentOf(path) : path}
          named={creating === 'here' ? nameOf(path) : ''}
          onClose={() => setCreating(undefined)}
          go={(to) =>
            void navigate({
              to: '/o/$slug/p/$project/wiki/$',
              params: { slug, project, _splat: to },
              search: { edit: '1' },
            })
          }
        />
      )}
    </Page>
  );
}

function Start({ entries, create }: { entries: readonly WikiEntry[]; create: (() => void) | undefined }) {
  const empty = entries.length === 0;
  return (
    <EmptyState
      icon={BookText}
      title={t(empty ? 'none' : 'choose')}
      action={empty && create ? { label: t('new'), run: create } : undefined}
    >
      {t(empty ? 'noneHint' : 'chooseHint')}
    </EmptyState>
  );
}

function Crumbs({ slug, project, path }: { slug: string; project: string; path: string }) {
  const above = parentOf(path);
  return (
    <>
      <Crumb>
        <Link to="/o/$slug/p/$project/wiki" params={{ slug, project }}>
          {t('wiki')}
        </Link>
      </Crumb>
      {above && (
        <Crumb>
          <Link to="/o/$slug/p/$project/wiki/$" params={{ slug, project, _splat: above }}>
            {plain(above).replaceAll('/', ' / ')}
          </Link>
        </Crumb>
      )}
    </>
  );
}
