import { X } from 'lucide-react';
import type { Access } from '@/app/access';
import { t as board } from '@/screens/board/strings';
import { Button, IconButton } from '@/ui/Button';
import type { Place } from './actions';
import styles from './BulkBar.module.css';
import { isAcross, PICKERS, pick, projectsOf } from './pick';
import type { ItemSelection } from './selection';
import { t } from './strings';

const KINDS = PICKERS.filter(({ kind }) => kind !== 'move' && kind !== 'link');

/** What can be done with several selected items. */
export interface BulkBarProps {
  place: Place;
  chosen: ItemSelection;
  access: Access;
}

/** What can be done with several selected items. */
export default function BulkBar({ place, chosen, access }: BulkBarProps) {
  const projects = projectsOf(place, chosen.targets);
  return (
    <section className={styles.bar} aria-label={board('selected', { n: chosen.selection.size })}>
      <span className={styles.count}>{board('selected', { n: chosen.selection.size })}</span>
      {access.write &&
        KINDS.filter(({ kind }) => isAcross(kind, projects)).map(({ kind, title }) => (
          <Button
            key={kind}
            size="small"
            refusal={access.frozen}
            onClick={(event) => pick({ ...place, kind, keys: chosen.targets, anchor: event.currentTarget })}
          >
            {t(title)}
          </Button>
        ))}
      <IconButton icon={X} size="small" label={board('clear')} keys="escape" onClick={chosen.clear} />
    </section>
  );
}
