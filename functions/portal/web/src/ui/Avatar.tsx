import { Bot } from 'lucide-react';
import { cx } from '@/lib/class-names';
import { bucket, initials, plain } from '@/lib/text';
import styles from './Avatar.module.css';

interface AvatarProps {
  name: string;
  agent?: boolean;
  /** Key of the person's picture. */
  picture?: string | null | undefined;
  size?: 16 | 20 | 24 | 32 | 48;
  /** Whether the name stands beside it, so that the picture says nothing more. */
  decorative?: boolean;
}

/** People are circles with their letters or picture; agents are rounded squares in violet. */
export function Avatar({ name, agent, picture, size = 20, decorative }: AvatarProps) {
  const label = decorative
    ? { 'aria-hidden': true }
    : { role: 'img', 'aria-label': plain(name), 'data-tip': plain(name) };
  const shape = cx(styles.avatar, styles[`s${size}`]);
  if (agent) {
    return (
      <span {...label} className={cx(shape, styles.agent)}>
        <Bot strokeWidth={1.5} aria-hidden />
      </span>
    );
  }
  if (picture) {
    return (
      <img
        {...label}
        alt=""
        className={shape}
        src={`/api/v1/avatars/${picture}`}
        width={size}
        height={size}
      />
    );
  }
  return (
    <span {...label} className={cx(shape, styles[`tone${bucket(name, 6)}`])}>
      {size === 16 ? initials(name).slice(0, 1) : initials(name)}
    </span>
  );
}
