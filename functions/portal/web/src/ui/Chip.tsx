import type { ReactNode } from 'react';
import { useKeymap } from '@/commands/keymap';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import styles from './Chip.module.css';

type Tone = 'neutral' | 'accent' | 'agent' | 'ok' | 'warn' | 'bad';

/** A short fact in a soft capsule. */
export function Chip({
  tone = 'neutral',
  children,
  title,
}: {
  tone?: Tone;
  children: ReactNode;
  title?: string;
}) {
  return (
    <span className={cx(styles.chip, styles[tone])} data-tip={title}>
      {children}
    </span>
  );
}

/** A label: the colour that people chose is a dot, never behind the text. */
export function LabelChip({ name, color }: { name: string; color?: string | undefined }) {
  return (
    <span className={cx(styles.chip, styles.label)}>
      <LabelDot color={color} />
      <span className="truncate">{plain(name)}</span>
    </span>
  );
}

/** The dot of a label's colour. */
export function LabelDot({ color }: { color?: string | undefined }) {
  return <span className={styles.dot} aria-hidden style={color ? { backgroundColor: color } : undefined} />;
}

/** Keys, as they are shown in menus and help. */
export function Keys({ keys }: { keys: string }) {
  const { pressedFor } = useKeymap();
  return (
    <span className={styles.keys} aria-hidden>
      {pressedFor(keys)
        .split(' ')
        .map((key) => (
          <kbd key={key}>{shown(key)}</kbd>
        ))}
    </span>
  );
}

const APPLE = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);
const NAMES: Record<string, string> = {
  mod: APPLE ? '⌘' : 'Ctrl',
  shift: '⇧',
  enter: '↵',
  space: 'Space',
  escape: 'Esc',
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
};

const SPOKEN: Record<string, string> = {
  mod: APPLE ? 'Command' : 'Ctrl',
  shift: 'Shift',
  enter: 'Enter',
  up: 'Up arrow',
  down: 'Down arrow',
  left: 'Left arrow',
  right: 'Right arrow',
};

/** Keys in words, for who hears them. */
export function spokenKeys(keys: string): string {
  const word = (part: string) => SPOKEN[part] ?? NAMES[part] ?? part;
  const press = (key: string) => key.split('+').map(word).join(' ');
  return keys.split(' ').map(press).join(', ');
}

function shown(key: string): string {
  return key
    .split('+')
    .map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part))
    .join(APPLE ? '' : ' ');
}
