import { CloudUpload, GitPullRequest } from 'lucide-react';
import { memo } from 'react';
import { BlockedMark } from '@/items/BlockedMark';
import { DueDay } from '@/items/DueDay';
import { GlanceChip } from '@/items/GlanceChip';
import { t as items } from '@/items/strings';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import type { ProjectGraph } from '@/store/graph';
import { useCard } from '@/store/hooks';
import { Avatar } from '@/ui/Avatar';
import { LabelDot } from '@/ui/Chip';
import { PriorityGlyph, TypeGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import styles from './card.module.css';

interface CardViewProps {
  graph: ProjectGraph;
  id: string;
  colors: ReadonlyMap<string, string>;
  focused: boolean;
  selected: boolean;
  /** The card whose place the tab key leads to. */
  tabbable: boolean;
  onOpen: (key: string, event: React.MouseEvent) => void;
}

/** A card: 92 px high, whatever it holds. Draws itself anew only when its own item changes. */
export const CardView = memo(function CardView(props: CardViewProps) {
  const { graph, id, colors, focused, selected, tabbable, onOpen } = props;
  const card = useCard(graph, id);
  if (!card) return null;
  /** How many labels can be read on one line with the rest. */
  const room = card.due ? 1 : 2;
  return (
    <a
      href={`/o/${graph.slug}/p/${graph.project}/items/${card.key}`}
      data-card={card.key}
      tabIndex={tabbable ? 0 : -1}
      aria-current={focused || undefined}
      className={cx(styles.card, selected && styles.selected, focused && styles.focused)}
      onClick={(event) => onOpen(card.key, event)}
    >
      <span className={styles.top}>
        <TypeGlyph type={card.type} labelled />
        <span className={styles.key}>{card.key.startsWith('~') ? '…' : card.key}</span>
        {graph.isPending(card.key) && (
          <span
            role="img"
            aria-label={items('pending')}
            data-tip={items('pending')}
            className={styles.pending}
          >
            <Icon of={CloudUpload} size={12} />
          </span>
        )}
        <span className={styles.space} />
        <GlanceChip slug={graph.slug} card={card} />
        {card.claim && !card.liveRun && (
          <span
            className={cx(styles.claim, card.claim.stale && styles.stale)}
            data-tip={items(card.claim.stale ? 'staleClaim' : 'claimedBy', { name: card.claim.holderName })}
          >
            <Avatar name={card.claim.holderName} agent={card.claim.agent} size={16} />
          </span>
        )}
      </span>
      <span className={styles.title}>{plain(card.title)}</span>
      <span className={styles.bottom}>
        <PriorityGlyph priority={card.priority} labelled />
        {card.blocked && <BlockedMark />}
        {card.estimate !== null && card.estimate !== undefined && (
          <span className={styles.estimate} data-tip={items('estimate')}>
            {card.estimate}
          </span>
        )}
        <DueDay card={card} />
        <span
          className={styles.labels}
          data-tip={card.labels.length > 1 ? card.labels.map(plain).join(', ') : undefined}
        >
          {card.labels.slice(0, room).map((label) => (
            <span key={label} className={styles.label}>
              <LabelDot color={colors.get(label.toLowerCase())} />
              <span className="truncate">{plain(label)}</span>
            </span>
          ))}
        </span>
        {card.labels.length > room && <span className={styles.label}>+{card.labels.length - room}</span>}
        {card.links.length > 0 && (
          <span
            role="img"
            className={styles.requests}
            aria-label={items('pullRequests', { n: card.links.length })}
            data-tip={items('pullRequests', { n: card.links.length })}
          >
            <Icon of={GitPullRequest} size={14} />
          </span>
        )}
        {card.assignee && <Avatar name={card.assignee.name} agent={card.assignee.agent} size={20} />}
      </span>
    </a>
  );
});
