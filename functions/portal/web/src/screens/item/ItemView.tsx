import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { useEffect } from 'react';
import { isProblem } from '@/api/problem';
import type { RenderedItem } from '@/api/types';
import { useItemAccess, withCan } from '@/app/access';
import { Page } from '@/app/Page';
import { FrozenBar } from '@/app/ProjectFrame';
import { Missing } from '@/app/States';
import { type Command, useCommands } from '@/commands/registry';
import { attachmentsQuery, commentsQuery, itemQuery } from '@/data/items';
import { useMe } from '@/data/me';
import { projectQuery, workflowQuery } from '@/data/projects';
import { setFields } from '@/items/actions';
import { PICKERS, type PickerKind, pick } from '@/items/pick';
import { copy, useRecent } from '@/items/selection';
import { t as items } from '@/items/strings';
import { projectOf } from '@/items/transfer';
import { cx } from '@/lib/class-names';
import { useRoomBeside } from '@/lib/media';
import { plain } from '@/lib/text';
import type { Card } from '@/store/feed';
import { useCard, useProject } from '@/store/hooks';
import { queries } from '@/store/queries';
import { IconButton } from '@/ui/Button';
import { TypeGlyph } from '@/ui/glyphs';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { Activity } from './Activity';
import { Aside } from './Aside';
import { Attachments } from './Attachments';
import { Beside } from './Beside';
import type { ItemContext } from './context';
import { DeletedItem } from './DeletedItem';
import { Description } from './Description';
import { FoldedAside } from './FoldedAside';
import styles from './item.module.css';
import { MoreMenu } from './MoreMenu';
import { ReviewStrip } from './ReviewStrip';
import { Subtasks } from './Subtasks';
import { t } from './strings';
import { Title } from './Title';

interface ItemViewProps {
  slug: string;
  project: string;
  item: string;
  /** Beside a board or list: narrow, without a head of its own. */
  peek?: boolean;
}

/** An item: text, subtasks, files, comments and history, and its properties. */
export function ItemView({ slug, project, item, peek }: ItemViewProps) {
  const { graph, error: feedError } = useProject(slug, project);
  const detail = useQuery(itemQuery(slug, item));
  const workflow = useQuery(workflowQuery(slug, project));
  const about = useQuery(projectQuery(slug, project));
  const access = withCan(useItemAccess(slug, project), detail.data?.can);
  const live = useCard(graph, item);
  const card: Card | undefined = live ?? detail.data;
  useRecent(card, slug);
  const deleted = isProblem(detail.error, 'item-deleted');
  useFresh(slug, item, live?.version, deleted ? 0 : detail.data?.version);
  const failed = detail.error ?? workflow.error ?? (card ? undefined : feedError);
  const elsewhere = useElsewhere(project, detail.data, peek ? undefined : slug);
  if (elsewhere && peek)
    return <ItemView slug={slug} project={elsewhere.project} item={elsewhere.key} peek />;
  if (isProblem(detail.error, 'not-found')) return <Missing />;
  if (deleted) return <DeletedItem slug={slug} project={project} item={item} />;
  // With its project.
  const gone = isProblem(detail.error, 'deleted');
  if (card && workflow.data && !gone) {
    const context = {
      slug,
      project,
      graph,
      card,
      detail: detail.data,
      workflow: workflow.data,
      access,
      frozen: access.frozen,
    };
    return (
      <>
        {!peek && <FrozenBar slug={slug} project={about.data} />}
        <Loaded {...context} projectName={about.data?.name ?? project} peek={peek ?? false} />
      </>
    );
  }
  return (
    <Page title={item} bare>
      {failed ? (
        <ProblemPanel error={failed} retry={() => void detail.refetch()} />
      ) : (
        <Skeleton label={t('loading', { key: item })} rows={8} />
      )}
    </Page>
  );
}

/**
 * Where an item is that was moved to another project: the service answers its old key with it. On a page of its own,
 * the address becomes the new one.
 */
function useElsewhere(
  project: string,
  found: RenderedItem | undefined,
  slug: string | undefined,
): { project: string; key: string } | undefined {
  const navigate = useNavigate();
  const key = found?.key;
  const there = key === undefined ? project : projectOf(key);
  const moved = there !== project;
  useEffect(() => {
    if (!moved || slug === undefined || key === undefined) return;
    const params = { slug, project: there, item: key };
    void navigate({ to: '/o/$slug/p/$project/items/$item', params, replace: true });
  }, [moved, slug, there, key, navigate]);
  return moved && key !== undefined ? { project: there, key } : undefined;
}

/** Reads the item and its comments again when the stream tells that it changed. */
function useFresh(slug: string, item: string, live: number | undefined, held: number | undefined): void {
  useEffect(() => {
    if (live === undefined || held === undefined || live <= held) return;
    for (const query of [itemQuery(slug, item), commentsQuery(slug, item), attachmentsQuery(slug, item)]) {
      void queries.invalidateQueries({ queryKey: query.queryKey });
    }
    void queries.invalidateQueries({ queryKey: ['history', slug, item] });
    void queries.invalidateQueries({ queryKey: ['item-links', slug, item] });
    void queries.invalidateQueries({ queryKey: ['item-runs', slug, item] });
  }, [slug, item, live, held]);
}

/** Properties that have no key of their own. */
const KEYLESS = (['milestone', 'type', 'remaining'] as const).map((kind) => ({
  kind,
  title: kind,
  keys: undefined,
}));

function Loaded({ projectName, peek, ...context }: ItemContext & { projectName: string; peek: boolean }) {
  const { slug, project, card, access, frozen } = context;
  const me = useMe();
  const room = useRoomBeside();
  const folded = peek || !room;
  const at = (kind: PickerKind) => {
    const anchor =
      document.querySelector(`[data-property="${kind}"]`) ??
      document.querySelector('[data-property="state"]');
    anchor?.closest('details')?.setAttribute('open', '');
    if (anchor) pick({ slug, project, kind, keys: [card.key], anchor });
  };
  const copyLink = () => void copy(`${location.origin}/o/${slug}/p/${project}/items/${card.key}`);
  useCommands([
    { id: 'item.copy-link', title: items('copyLink'), group: 'item', run: copyLink },
    {
      id: 'item.copy-key',
      title: items('copyKey'),
      group: 'item',
      keys: 'mod+.',
      run: () => void copy(card.key),
    },
    ...(access.write
      ? [
          {
            id: 'item.assign-me',
            title: items('assignMe'),
            group: 'item' as const,
            keys: 'i',
            refusal: frozen,
            run: () =>
              setFields({ slug, project }, [card], {
                assignee: { id: me.id, name: me.displayName, agent: false },
              }),
          },
        ]
      : []),
    ...(access.write ? [...PICKERS, ...KEYLESS] : [])
      .filter(({ kind }) => kind !== 'type' || card.type !== 'subtask')
      .map(
        ({ kind, keys, title }): Command => ({
          id: `item.${kind}`,
          title: items(title),
          group: 'item',
          keys,
          refusal: frozen,
          run: () => at(kind),
        }),
      ),
  ]);
  const body = (
    <div className={cx(styles.layout, peek && styles.peek)}>
      <article className={styles.main}>
        <Title {...context} peek={peek} />
        {folded && <FoldedAside {...context} />}
        <ReviewStrip {...context} />
        <Description {...context} />
        <Subtasks {...context} />
        <Attachments {...context} />
        <Activity {...context} />
      </article>
      {!folded && <Aside {...context} />}
    </div>
  );
  if (peek) {
    return (
      <>
        <div className={styles.peekHead}>
          <Crumbs slug={slug} project={project} name={projectName} card={card} />
        </div>
        {body}
      </>
    );
  }
  return (
    <Page
      bare
      title={`${card.key} ${plain(card.title)}`}
      crumbs={null}
      bar={
        <div className={styles.head}>
          <Crumbs slug={slug} project={project} name={projectName} card={card} />
          <span className={styles.space} />
          <Beside slug={slug} project={project} item={card.key} />
          <IconButton icon={Link2} size="small" label={items('copyLink')} onClick={copyLink} />
          <MoreMenu {...context} />
        </div>
      }
    >
      {body}
    </Page>
  );
}

function Crumbs({ slug, project, name, card }: { slug: string; project: string; name: string; card: Card }) {
  return (
    <nav className={styles.crumbs} aria-label={name}>
      <Link to="/o/$slug/p/$project/board" params={{ slug, project }} className={styles.crumb}>
        {plain(name)}
      </Link>
      {card.parent && (
        <>
          <span aria-hidden>/</span>
          <Link
            to="/o/$slug/p/$project/items/$item"
            params={{ slug, project, item: card.parent }}
            className={styles.crumb}
          >
            {card.parent}
          </Link>
        </>
      )}
      <span aria-hidden>/</span>
      <TypeGlyph type={card.type} labelled />
      <span className="tabular">{card.key}</span>
    </nav>
  );
}
