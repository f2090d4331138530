import type { Mode } from '@/data/notifications';
import { MODES } from './kinds';
import styles from './notifications.module.css';
import { t } from './strings';

interface ModeSelectProps {
  label: string;
  value: Mode | null;
  onChange: (mode: Mode | null) => void;
  /** What no choice means; without, one has to be chosen. */
  none?: string | undefined;
  /** Why it cannot be chosen now. */
  refusal?: string | undefined;
}

/** When something is told: never, at once, once a day. */
export function ModeSelect({ label, value, onChange, none, refusal }: ModeSelectProps) {
  return (
    <select
      className={styles.mode}
      aria-label={label}
      data-tip={refusal}
      disabled={refusal !== undefined}
      data-quiet={value === null || value === 'off' || undefined}
      value={value ?? ''}
      onChange={(event) => onChange((event.target.value || null) as Mode | null)}
    >
      {none !== undefined && <option value="">{none}</option>}
      {MODES.map((mode) => (
        <option key={mode} value={mode}>
          {t(`mode_${mode}`)}
        </option>
      ))}
    </select>
  );
}
