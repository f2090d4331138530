import type { Runner } from '@/api/types';
import { cx } from '@/lib/class-names';
import styles from './factory.module.css';
import { t } from './strings';

/** Whether a runner is there: a filled dot, a ring, a struck ring. */
export function RunnerState({ runner }: { runner: Pick<Runner, 'online' | 'disabled'> }) {
  const state = runner.disabled ? 'disabled' : runner.online ? 'online' : 'offline';
  return (
    <span role="img" className={cx(styles.dot, styles[state])} aria-label={t(state)} data-tip={t(state)} />
  );
}
