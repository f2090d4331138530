/** Shapes that stand for states, priorities, types and runs. Shape says it; colour only repeats it. */
import {
  BookOpen,
  Bug,
  ChevronDown,
  ChevronsDown,
  ChevronsUp,
  ChevronUp,
  CircleCheckBig,
  CornerDownRight,
  Equal,
  type LucideIcon,
  SquareCheck,
  Zap,
} from 'lucide-react';
import type { ItemType, Priority, StateGroup } from '@/api/types';
import { cx } from '@/lib/class-names';
import { t } from './glyph-strings';
import styles from './glyphs.module.css';
import { Icon } from './Icon';

/** A state's group: dashed ring, half, ring with a check, solid check. */
export function StateGlyph({ group, size = 14 }: { group: StateGroup; size?: number }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      className={cx(styles.state, styles[group])}
      aria-hidden
    >
      {SHAPES[group] ?? SHAPES.backlog}
    </svg>
  );
}

const ring = { cx: 8, cy: 8, r: 6.25, fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 };
const check = {
  d: 'M5.4 8.2l1.8 1.8 3.5-3.7',
  fill: 'none',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;
const SHAPES: Record<string, React.ReactNode> = {
  backlog: <circle {...ring} strokeDasharray="2.2 1.73" />,
  active: (
    <>
      <circle {...ring} />
      <path d="M8 4.2a3.8 3.8 0 0 1 0 7.6z" fill="currentColor" />
    </>
  ),
  resolved: (
    <>
      <circle {...ring} />
      <path {...check} stroke="currentColor" />
    </>
  ),
  closed: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path {...check} stroke="var(--surface)" />
    </>
  ),
};

const TYPES: Record<string, LucideIcon> = {
  story: BookOpen,
  bug: Bug,
  task: SquareCheck,
  epic: Zap,
  subtask: CornerDownRight,
};

/** The kind of an item. */
export function TypeGlyph({ type, labelled }: { type: ItemType; labelled?: boolean }) {
  const icon = (
    <Icon of={TYPES[type] ?? CircleCheckBig} size={14} className={cx(styles.type, styles[type])} />
  );
  return labelled ? (
    <span role="img" aria-label={typeName(type)} data-tip={typeName(type)} className={styles.labelled}>
      {icon}
    </span>
  ) : (
    icon
  );
}

const PRIORITIES: Record<string, LucideIcon> = {
  lowest: ChevronsDown,
  low: ChevronDown,
  medium: Equal,
  high: ChevronUp,
  highest: ChevronsUp,
};

/** How urgent an item is. */
export function PriorityGlyph({ priority, labelled }: { priority: Priority; labelled?: boolean }) {
  const icon = (
    <Icon of={PRIORITIES[priority] ?? Equal} size={14} className={cx(styles.priority, styles[priority])} />
  );
  return labelled ? (
    <span
      role="img"
      aria-label={t('priority', { name: priorityName(priority) })}
      data-tip={priorityName(priority)}
      className={styles.labelled}
    >
      {icon}
    </span>
  ) : (
    icon
  );
}

/** Names as people read them; a value that this app does not know is shown as it is. */
export function typeName(type: string): string {
  return type === 'story' || type === 'bug' || type === 'task' || type === 'epic' || type === 'subtask'
    ? t(type)
    : type;
}

export function priorityName(priority: string): string {
  return priority === 'lowest' ||
    priority === 'low' ||
    priority === 'medium' ||
    priority === 'high' ||
    priority === 'highest'
    ? t(priority)
    : priority;
}

export const PRIORITY_ORDER: readonly Priority[] = ['highest', 'high', 'medium', 'low', 'lowest'];
export const TYPE_ORDER: readonly ItemType[] = ['story', 'bug', 'task', 'epic', 'subtask'];
