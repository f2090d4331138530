import type { Item } from '@/api/types';
import { BlockedMark } from '@/items/BlockedMark';
import { DueDay } from '@/items/DueDay';
import { GlanceChip } from '@/items/GlanceChip';
import { useShown } from '@/items/held';
import rows from '@/items/rows.module.css';
import { cx } from '@/lib/class-names';
import { plain, projectOf } from '@/lib/text';
import type { Card } from '@/store/feed';
import { Avatar } from '@/ui/Avatar';
import { PriorityGlyph, TypeGlyph } from '@/ui/glyphs';
import styles from './items.module.css';

interface ItemCardProps {
  slug: string;
  item: Item;
  tabbable: boolean;
  selected: boolean;
  onOpen: (key: string) => void;
}

/** An item on the board of an organization. */
export function ItemCard({ slug, item, tabbable, selected, onOpen }: ItemCardProps) {
  const card = useShown(slug, item);
  return (
    <a
      href={`/o/${slug}/p/${projectOf(item.key)}/items/${item.key}`}
      data-card={item.key}
      tabIndex={tabbable ? 0 : -1}
      className={cx(styles.card, selected && rows.selected)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        onOpen(item.key);
      }}
    >
      <span className={styles.cardLine}>
        <TypeGlyph type={card.type} labelled />
        <span className={styles.cardKey}>{item.key}</span>
        <GlanceChip slug={slug} card={card as Card} />
      </span>
      <span className={styles.cardTitle}>{plain(card.title)}</span>
      <span className={styles.cardLine}>
        <PriorityGlyph priority={card.priority} labelled />
        {card.blocked && <BlockedMark />}
        <DueDay card={card as Card} />
        <span className={styles.cardState}>{plain(card.state)}</span>
        {card.assignee && <Avatar name={card.assignee.name} agent={card.assignee.agent} size={20} />}
      </span>
    </a>
  );
}
