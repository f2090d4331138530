import { Hand } from 'lucide-react';
import { cx } from '@/lib/class-names';
import { Icon } from '@/ui/Icon';
import type { Turn } from './card-turn';
import styles from './RunChip.module.css';
import { t } from './turn-strings';

/** A refinement that waits for a person: a hand, and what for. */
export function TurnChip({ turn }: { turn: Turn }) {
  return (
    <span className={cx(styles.chip, styles.person)}>
      <Icon of={Hand} size={12} />
      <span className="truncate">{t(turn)}</span>
    </span>
  );
}
