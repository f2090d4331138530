import { type CSSProperties, memo } from 'react';
import { BlockedMark } from '@/items/BlockedMark';
import { DueDay } from '@/items/DueDay';
import { GlanceChip } from '@/items/GlanceChip';
import { type PickerKind, pick } from '@/items/pick';
import rows from '@/items/rows.module.css';
import { t as items } from '@/items/strings';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import type { ProjectGraph } from '@/store/graph';
import { useCard } from '@/store/hooks';
import { Avatar } from '@/ui/Avatar';
import { LabelChip } from '@/ui/Chip';
import { DateTime } from '@/ui/DateTime';
import { PriorityGlyph, priorityName, StateGlyph, TypeGlyph } from '@/ui/glyphs';
import type { Choice } from './columns';
import styles from './list.module.css';

interface ItemRowProps {
  graph: ProjectGraph;
  id: string;
  colors: ReadonlyMap<string, string>;
  columns: readonly Choice[];
  style: CSSProperties;
  tabbable: boolean;
  selected: boolean;
  editable: boolean;
  onToggle: (key: string) => void;
  onOpen: (key: string) => void;
}

/** One row of the list. Its cells are edited where they are. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { graph, id, colors, columns, style, tabbable, selected, editable, onToggle, onOpen } = props;
  const card = useCard(graph, id);
  if (!card) return null;
  const { slug, project } = graph;
  const cell = (kind: PickerKind, label: string, children: React.ReactNode) =>
    editable ? (
      <button
        type="button"
        tabIndex={-1}
        className={rows.edit}
        onClick={(event) => pick({ slug, project, kind, keys: [id], anchor: event.currentTarget })}
      >
        <span className="visually-hidden">{label}</span>
        {children}
      </button>
    ) : (
      <span className={rows.edit}>{children}</span>
    );
  const contentOf = (column: Choice): React.ReactNode => {
    switch (column) {
      case 'state':
        return cell(
          'state',
          `${items('state')}:`,
          <>
            <StateGlyph group={card.stateGroup} />
            <span className="truncate">{plain(card.state)}</span>
          </>,
        );
      case 'priority':
        return cell(
          'priority',
          `${items('priority')}: ${priorityName(card.priority)}`,
          <PriorityGlyph priority={card.priority} />,
        );
      case 'labels':
        return <Labels labels={card.labels} colors={colors} />;
      case 'estimate':
        return cell(
          'estimate',
          `${items('estimate')}: ${card.estimate === null ? items('none') : ''}`,
          card.estimate ?? '',
        );
      case 'remaining':
        return card.remaining;
      case 'due':
        return cell(
          'due',
          card.due ? `${items('due')}:` : `${items('due')}: ${items('none')}`,
          <DueDay card={card} bare />,
        );
      case 'assignee':
        return cell(
          'assignee',
          `${items('assignee')}: ${plain(card.assignee?.name ?? items('nobody'))}`,
          card.assignee && <Avatar name={card.assignee.name} agent={card.assignee.agent} decorative />,
        );
      case 'created':
        return <DateTime at={card.createdAt} />;
      case 'updated':
        return <DateTime at={card.updatedAt} />;
    }
  };
  return (
    <div
      role="row"
      className={cx(styles.row, selected && rows.selected)}
      style={style}
      data-card={id}
      tabIndex={tabbable ? 0 : -1}
    >
      <span role="cell" className={rows.select}>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={selected}
          aria-label={`${items('select')} ${id}`}
          onChange={() => onToggle(id)}
        />
      </span>
      <span role="cell" className={rows.key}>
        <TypeGlyph type={card.type} labelled />
        <span className="truncate">{id.startsWith('~') ? '…' : id}</span>
      </span>
      <span role="cell" className={rows.title}>
        <a
          href={`/o/${slug}/p/${project}/items/${id}`}
          tabIndex={-1}
          className="truncate"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            onOpen(id);
          }}
        >
          {plain(card.title)}
        </a>
        {card.blocked && <BlockedMark />}
        <GlanceChip slug={slug} card={card} />
      </span>
      {columns.map((column) => (
        <span key={column} role="cell" className={cellOf(column)}>
          {contentOf(column)}
        </span>
      ))}
    </div>
  );
});

/** What cells of a column look like, its head too. */
export function cellOf(column: string): string {
  const shared = { key: rows.key, title: rows.title, created: rows.when, updated: rows.when }[column];
  return cx(styles[`cell-${column}`], shared);
}

function Labels({ labels, colors }: { labels: readonly string[]; colors: ReadonlyMap<string, string> }) {
  return (
    <>
      <span className={styles.labels} data-tip={labels.length > 1 ? labels.map(plain).join(', ') : undefined}>
        {labels.slice(0, 2).map((label) => (
          <LabelChip key={label} name={label} color={colors.get(label.toLowerCase())} />
        ))}
      </span>
      {labels.length > 2 && <span className="meta">+{labels.length - 2}</span>}
    </>
  );
}
