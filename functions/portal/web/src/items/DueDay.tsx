import { CalendarDays } from 'lucide-react';
import { cx } from '@/lib/class-names';
import { dayName, today, wholeDay } from '@/lib/days';
import type { Card } from '@/store/feed';
import { useMinute } from '@/ui/DateTime';
import { Icon } from '@/ui/Icon';
import styles from './DueDay.module.css';
import { t } from './strings';

type Due = Pick<Card, 'due' | 'stateGroup'>;

/** Whether an item is late: its day is over and it is not done. */
export function isLate({ due, stateGroup }: Due, day = today()): boolean {
  return Boolean(due && due < day && stateGroup !== 'resolved' && stateGroup !== 'closed');
}

/** The day by which an item is due. One that is late says so, in words as well as in colour. */
export function DueDay({ card, bare }: { card: Due; bare?: boolean }) {
  return card.due ? <Day due={card.due} late={isLate(card)} bare={bare} /> : null;
}

function Day({ due, late, bare }: { due: string; late: boolean; bare: boolean | undefined }) {
  useMinute();
  return (
    <time
      dateTime={due}
      className={cx(styles.due, !bare && styles.small, late && styles.late)}
      data-tip={t('dueOn', { day: wholeDay(due) })}
    >
      {!bare && <Icon of={CalendarDays} size={12} />}
      {!bare && !late && <span className="visually-hidden">{t('due')}: </span>}
      {late ? t('late', { day: dayName(due) }) : dayName(due)}
    </time>
  );
}
