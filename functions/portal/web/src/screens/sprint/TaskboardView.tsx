import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SquareKanban } from 'lucide-react';
import { Fragment } from 'react';
import type { components } from '@/api/schema';
import type { Item } from '@/api/types';
import { taskboardQuery } from '@/data/sprints';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { StateGlyph, TypeGlyph } from '@/ui/glyphs';
import { Skeleton } from '@/ui/Skeleton';
import { EmptyState, ProblemPanel } from '@/ui/states';
import styles from './sprint.module.css';
import { t } from './strings';

type Taskboard = components['schemas']['Taskboard'];

/** A sprint's items as rows, and their subtasks in the columns of the workflow. */
export function TaskboardView({ slug, project, id }: { slug: string; project: string; id: string }) {
  const { data: board, error, refetch } = useQuery({ ...taskboardQuery(slug, id), refetchInterval: 60_000 });
  if (error && !board) return <ProblemPanel error={error} retry={() => void refetch()} />;
  if (!board) {
    return (
      <div className={styles.loading}>
        <Skeleton label={t('loading')} rows={6} height={64} />
      </div>
    );
  }
  const parents = rows(board);
  if (parents.length === 0) return <EmptyState icon={SquareKanban} title={t('boardEmpty')} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways scrolls by keys too.
    <section className={styles.boardBox} aria-label={t('taskboard')} tabIndex={0}>
      <table className={styles.board}>
        <thead>
          <tr>
            <th scope="col">{t('item')}</th>
            {board.columns.map((column) => (
              <th key={column.state} scope="col">
                <span className={styles.state}>
                  <StateGlyph group={column.stateGroup} />
                  {plain(column.state)}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parents.map(({ item, subtasks }) => (
            <tr key={item.key}>
              <th scope="row">
                <Tile slug={slug} project={project} item={item} large />
              </th>
              {board.columns.map((column) => (
                <td key={column.state}>
                  <Cell slug={slug} project={project} state={column.state} item={item} subtasks={subtasks} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Items in the order of the columns, each with its subtasks. */
function rows(board: Taskboard): { item: Item; subtasks: Item[] }[] {
  return board.columns.flatMap((column) =>
    column.cards.map((card) => ({ item: card.item, subtasks: card.subtasks ?? [] })),
  );
}

interface CellProps {
  slug: string;
  project: string;
  state: string;
  item: Item;
  subtasks: Item[];
}

/** What of a row is in a state: its subtasks, or the item itself where it has none. */
function Cell({ slug, project, state, item, subtasks }: CellProps) {
  const here = subtasks.length > 0 ? subtasks : [item];
  return here
    .filter((one) => one.state === state)
    .map((one) => (
      <Fragment key={one.key}>
        <Tile slug={slug} project={project} item={one} />
      </Fragment>
    ));
}

function Tile({
  slug,
  project,
  item,
  large,
}: {
  slug: string;
  project: string;
  item: Item;
  large?: boolean;
}) {
  return (
    <Link
      to="/o/$slug/p/$project/items/$item"
      params={{ slug, project, item: item.key }}
      className={cx(styles.tile, large && styles.large)}
    >
      <span className={styles.tileHead}>
        <TypeGlyph type={item.type} />
        <span className={styles.key}>{item.key}</span>
        {item.remaining != null && <span className={styles.estimate}>{item.remaining}</span>}
        {item.assignee && <Avatar name={item.assignee.name} agent={item.assignee.agent} size={16} />}
      </span>
      <span className={styles.tileTitle}>{plain(item.title)}</span>
    </Link>
  );
}
