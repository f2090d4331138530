import type { ReactNode } from 'react';
import { Popover } from '@/ui/Popover';
import styles from './create.module.css';

interface FieldChipProps {
  label: string;
  /** What is chosen, in words; nothing shows the label alone. */
  value?: string | undefined;
  glyph?: ReactNode;
  /** What is wrong with it. */
  errors?: readonly string[] | undefined;
  children: (close: () => void) => ReactNode;
}

/** A field as a chip: says what is chosen, and opens what else can be. */
export function FieldChip({ label, value, glyph, errors, children }: FieldChipProps) {
  return (
    <Popover
      label={label}
      trigger={(props) => (
        <button
          type="button"
          {...props}
          className={styles.chip}
          data-set={value ? true : undefined}
          data-wrong={errors ? true : undefined}
          data-tip={errors?.join(' ') ?? label}
          aria-description={errors?.join(' ')}
        >
          {glyph}
          {value && <span className="visually-hidden">{label}: </span>}
          <span className="truncate">{value ?? label}</span>
        </button>
      )}
    >
      {children}
    </Popover>
  );
}
