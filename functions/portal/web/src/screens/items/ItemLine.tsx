import type { Item } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { BlockedMark } from '@/items/BlockedMark';
import { DueDay } from '@/items/DueDay';
import { GlanceChip } from '@/items/GlanceChip';
import { useShown } from '@/items/held';
import { type PickerKind, pick } from '@/items/pick';
import rows from '@/items/rows.module.css';
import { cx } from '@/lib/class-names';
import { plain, projectOf } from '@/lib/text';
import type { Card } from '@/store/feed';
import { Avatar } from '@/ui/Avatar';
import { DateTime } from '@/ui/DateTime';
import { PriorityGlyph, priorityName, StateGlyph, TypeGlyph } from '@/ui/glyphs';
import styles from './items.module.css';
import { t } from './strings';

interface ItemLineProps {
  slug: string;
  item: Item;
  tabbable: boolean;
  selected: boolean;
  /** Selects it, where several can be. */
  onToggle: ((key: string) => void) | undefined;
  onOpen: (key: string) => void;
}

/** A row of the list: state, priority, day and assignee are changed where they are. */
export function ItemLine({ slug, item, tabbable, selected, onToggle, onOpen }: ItemLineProps) {
  const project = projectOf(item.key);
  const card = useShown(slug, item);
  const access = useItemAccess(slug, project);
  const cell = (kind: PickerKind, label: string, shown: React.ReactNode) =>
    access.write && access.frozen === undefined ? (
      <button
        type="button"
        tabIndex={-1}
        className={rows.edit}
        onClick={(event) => pick({ slug, project, kind, keys: [item.key], anchor: event.currentTarget })}
      >
        <span className="visually-hidden">{label}</span>
        {shown}
      </button>
    ) : (
      <span className={rows.edit}>{shown}</span>
    );
  return (
    <div
      role="row"
      className={cx(styles.line, selected && rows.selected)}
      data-card={item.key}
      tabIndex={tabbable ? 0 : -1}
    >
      {onToggle && (
        <span role="cell" className={rows.select}>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={selected}
            aria-label={t('select', { key: item.key })}
            onChange={() => onToggle(item.key)}
          />
        </span>
      )}
      <span role="cell" className={rows.key}>
        <TypeGlyph type={card.type} labelled />
        <span className="truncate">{item.key}</span>
      </span>
      <span role="cell" className={rows.title}>
        <a
          href={`/o/${slug}/p/${project}/items/${item.key}`}
          tabIndex={-1}
          className="truncate"
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            onOpen(item.key);
          }}
        >
          {plain(card.title)}
        </a>
        {card.blocked && <BlockedMark />}
        <GlanceChip slug={slug} card={card as Card} />
      </span>
      <span role="cell" className={styles.state}>
        {cell(
          'state',
          `${t('state')}:`,
          <>
            <StateGlyph group={card.stateGroup} />
            <span className="truncate">{plain(card.state)}</span>
          </>,
        )}
      </span>
      <span role="cell" className={styles.priority}>
        {cell(
          'priority',
          `${t('priority')}: ${priorityName(card.priority)}`,
          <PriorityGlyph priority={card.priority} />,
        )}
      </span>
      <span role="cell" className={styles.due}>
        {cell('due', `${t('due_day')}: ${card.due ? '' : t('none')}`, <DueDay card={card as Card} bare />)}
      </span>
      <span role="cell" className={styles.assignee}>
        {cell(
          'assignee',
          `${t('assignee')}: ${plain(card.assignee?.name ?? t('nobody'))}`,
          card.assignee && (
            <Avatar name={card.assignee.name} agent={card.assignee.agent} size={20} decorative />
          ),
        )}
      </span>
      <span role="cell" className={rows.when}>
        <DateTime at={card.updatedAt} />
      </span>
    </div>
  );
}
