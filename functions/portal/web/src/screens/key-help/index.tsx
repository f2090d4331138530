import { useState } from 'react';
import { t as shell } from '@/app/strings';
import { setSingleKeys, singleKeys } from '@/commands/keys';
import { type Group, useAllCommands } from '@/commands/registry';
import { Keys } from '@/ui/Chip';
import { Dialog } from '@/ui/Dialog';
import { CheckField } from '@/ui/Field';
import styles from './key-help.module.css';

const GROUPS: { group: Group; title: 'groupGo' | 'groupItem' | 'groupView' | 'groupGeneral' }[] = [
  { group: 'go', title: 'groupGo' },
  { group: 'item', title: 'groupItem' },
  { group: 'view', title: 'groupView' },
  { group: 'general', title: 'groupGeneral' },
];

/** Every key that does something here and now. */
export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const commands = useAllCommands().filter((command) => command.keys);
  const [single, setSingle] = useState(singleKeys);
  return (
    <Dialog open wide onClose={onClose} title={shell('shortcuts')}>
      <div className={styles.groups}>
        {GROUPS.map(({ group, title }) => {
          const members = commands.filter((command) => command.group === group);
          return members.length === 0 ? null : (
            <section key={group}>
              <h3 className={styles.heading}>{shell(title)}</h3>
              <dl className={styles.list}>
                {members.map(({ id, title, keys }) => (
                  <div key={id} className={styles.row}>
                    <dt>{title}</dt>
                    <dd>
                      <Keys keys={keys ?? ''} />
                      <span className="visually-hidden">{keys}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      <CheckField
        label={shell('singleKeys')}
        hint={shell('singleKeysHint')}
        checked={single}
        onChange={(event) => {
          setSingle(event.target.checked);
          setSingleKeys(event.target.checked);
        }}
      />
    </Dialog>
  );
}
