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
  return card.due ? <Day due={card.due} stateGroup={card.stateGroup} bare={bare} /> : null;
}

function Day({
  due,
  stateGroup,
  bare,
}: {
  due: string;
  stateGroup: Card['stateGroup'];
  bare?: boolean | undefined;
}) {
  // What was due today is late after midnight, though nothing of the item changes.
  useMinute();
  const late = isLate({ due, stateGroup });
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
