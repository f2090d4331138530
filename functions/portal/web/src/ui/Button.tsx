import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '@/lib/class-names';
import styles from './Button.module.css';
import { Icon } from './Icon';

type Kind = 'primary' | 'secondary' | 'ghost' | 'danger' | 'agent';

interface ButtonProps extends ComponentProps<'button'> {
  kind?: Kind;
  size?: 'small' | 'regular';
  icon?: LucideIcon;
  /** Says that its work is under way: the button keeps its place and takes no second press. */
  busy?: boolean;
  /** Why it cannot be used now; shown on hover and to screen readers, and the button takes no press. */
  refusal?: string | undefined;
  children?: ReactNode;
}

/** A button with a text. */
export function Button({
  kind = 'secondary',
  size = 'regular',
  icon,
  busy,
  refusal,
  children,
  ...rest
}: ButtonProps) {
  const blocked = busy || refusal !== undefined;
  return (
    <button
      type="button"
      {...rest}
      {...(blocked ? { 'aria-disabled': true, onClick: (event) => event.preventDefault() } : {})}
      {...(refusal ? { 'data-tip': refusal, 'aria-description': refusal } : {})}
      aria-busy={busy || undefined}
      className={cx(styles.button, styles[kind], size === 'small' && styles.small, rest.className)}
    >
      {icon && <Icon of={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon;
  /** What it does: its accessible name, and its tooltip. */
  label: string;
  /** Keys that do the same, shown in the tooltip. */
  keys?: string | undefined;
  size?: 'small' | 'regular';
  refusal?: string | undefined;
}

/** A square button that shows an icon only. */
export function IconButton({ icon, label, keys, size = 'regular', refusal, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(refusal ? { 'aria-disabled': true, 'aria-description': refusal, onClick: () => {} } : {})}
      aria-label={label}
      data-tip={refusal ?? label}
      data-tip-keys={keys}
      className={cx(
        styles.button,
        styles.ghost,
        styles.square,
        size === 'small' && styles.small,
        rest.className,
      )}
    >
      <Icon of={icon} />
    </button>
  );
}
