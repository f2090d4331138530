import type { Actor } from '@/api/types';
import { plain } from '@/lib/text';
import { Avatar } from '@/ui/Avatar';
import styles from './actors.module.css';

/** People or agents side by side, each with a name for who asks. */
export function Actors({ all, label }: { all: readonly Actor[]; label: string }) {
  if (all.length === 0) return null;
  return (
    <ul className={styles.actors} aria-label={label}>
      {all.map(({ id, name, agent }) => (
        <li key={id} data-tip={plain(name)}>
          <Avatar name={name} agent={agent} size={20} />
        </li>
      ))}
    </ul>
  );
}
