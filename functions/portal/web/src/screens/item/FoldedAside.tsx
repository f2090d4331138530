import { ChevronDown } from 'lucide-react';
import { BlockedMark } from '@/items/BlockedMark';
import { GlanceChip } from '@/items/GlanceChip';
import { t as items } from '@/items/strings';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import { PriorityGlyph, priorityName, StateGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { Aside } from './Aside';
import styles from './aside.module.css';
import type { ItemContext } from './context';
import { t } from './strings';

/** The item's properties where there is no room beside its text: one line under the title, which unfolds. */
export function FoldedAside(context: ItemContext) {
  const { slug, card } = context;
  return (
    <details className={styles.folded}>
      <summary>
        <span className="visually-hidden">{t('properties')}:</span>
        <span className={styles.glance}>
          <StateGlyph group={card.stateGroup} />
          {plain(card.state)}
        </span>
        <span className={styles.glance}>
          <PriorityGlyph priority={card.priority} />
          {priorityName(card.priority)}
        </span>
        <span className={styles.glance}>
          {card.assignee ? (
            <>
              <Avatar name={card.assignee.name} agent={card.assignee.agent} decorative />
              <span className="truncate">{plain(card.assignee.name)}</span>
            </>
          ) : (
            <span className={styles.nothing}>{items('nobody')}</span>
          )}
        </span>
        {card.blocked && <BlockedMark />}
        <GlanceChip slug={slug} card={card} />
        <span className={styles.turn}>
          <Icon of={ChevronDown} />
        </span>
      </summary>
      <Aside {...context} />
    </details>
  );
}
