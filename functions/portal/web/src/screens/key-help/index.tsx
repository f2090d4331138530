import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useKnownAccess } from '@/app/access';
import { useCurrentSlug } from '@/app/Sidebar';
import { t as shell } from '@/app/strings';
import { canBePressed, forgetKeymap, remap, useKeymap } from '@/commands/keymap';
import { nameOf, setSingleKeys, singleKeys } from '@/commands/keys';
import { type Command, type Group, useAllCommands } from '@/commands/registry';
import { Button } from '@/ui/Button';
import { Keys, spokenKeys } from '@/ui/Chip';
import { Dialog } from '@/ui/Dialog';
import { CheckField } from '@/ui/Field';
import { elsewhere } from './catalogue';
import styles from './key-help.module.css';
import { t } from './strings';

const GROUPS: { group: Group; title: 'groupGo' | 'groupItem' | 'groupView' | 'groupGeneral' }[] = [
  { group: 'go', title: 'groupGo' },
  { group: 'item', title: 'groupItem' },
  { group: 'view', title: 'groupView' },
  { group: 'general', title: 'groupGeneral' },
];

/** Every key: those that do something here and now, which can be changed, and below them those of other places. */
export default function KeyHelp({ onClose }: { onClose: () => void }) {
  const commands = useAllCommands().filter((command) => command.keys);
  const [single, setSingle] = useState(singleKeys);
  const { pressedFor, changed } = useKeymap();
  const { project } = useParams({ strict: false });
  const access = useKnownAccess(useCurrentSlug() ?? '', project);
  const taken = (pressed: string, but: string) =>
    commands.find(({ keys = '' }) => keys !== but && overlaps(pressedFor(keys), pressed))?.title;
  return (
    <Dialog open wide onClose={onClose} title={shell('shortcuts')}>
      <div className={styles.groups}>
        {GROUPS.map(({ group, title }) => {
          const members = commands.filter((command) => command.group === group);
          return members.length === 0 ? null : (
            <section key={group}>
              <h3 className={styles.heading}>{shell(title)}</h3>
              <dl className={styles.list}>
                {byTitle(members).map(([title, keys]) => (
                  <div key={title} className={styles.row}>
                    <dt>{title}</dt>
                    <dd>
                      {keys.map((one) => (
                        <KeyChoice key={one} title={title} keys={one} taken={taken} />
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      <p className={styles.about}>
        {t('remapAbout')}{' '}
        {changed && (
          <Button size="small" kind="ghost" onClick={forgetKeymap}>
            {t('remapReset')}
          </Button>
        )}
      </p>
      <h2 className={styles.elsewhere}>{t('elsewhere')}</h2>
      <div className={styles.groups}>
        {elsewhere(new Set(commands.map(({ id }) => id)), access).map(({ title, keys }) => (
          <section key={title}>
            <h3 className={styles.heading}>{title}</h3>
            <dl className={styles.list}>
              {keys.map(({ id, keys, title }) => (
                <div key={id ?? title} className={styles.row}>
                  <dt>{title}</dt>
                  <dd>
                    <span className="visually-hidden">{spokenKeys(pressedFor(keys))}</span>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <CheckField
        label={t('singleKeys')}
        hint={t('singleKeysHint')}
        checked={single}
        onChange={(event) => {
          setSingle(event.target.checked);
          setSingleKeys(event.target.checked);
        }}
      />
    </Dialog>
  );
}

/** What has several keys stands once, with all of them. */
function byTitle(commands: readonly Command[]): [string, string[]][] {
  const found = new Map<string, string[]>();
  for (const { title, keys = '' } of commands) found.set(title, [...(found.get(title) ?? []), keys]);
  return [...found];
}

/** Whether one of two would hide the other: they are the same, or a sequence begins with one. */
function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `);
}

interface KeyChoiceProps {
  title: string;
  keys: string;
  /** What these keys do already, apart from what is written with `but`. */
  taken: (pressed: string, but: string) => string | undefined;
}

/** The keys of a command. Pressed, it takes the next press in their place. */
function KeyChoice({ title, keys, taken }: KeyChoiceProps) {
  const { pressedFor } = useKeymap();
  const [waiting, setWaiting] = useState(false);
  const [refused, setRefused] = useState<string>();
  const shown = pressedFor(keys);
  const end = () => {
    setWaiting(false);
    setRefused(undefined);
  };
  const press = (event: React.KeyboardEvent) => {
    if (!waiting || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const pressed = nameOf(event.nativeEvent);
    if (event.key === 'Escape') end();
    if (!pressed || !canBePressed(pressed)) return;
    const other = taken(pressed, keys);
    if (other) {
      setRefused(t('remapTaken', { title: other }));
      return;
    }
    remap(keys, pressed);
    end();
  };
  return (
    <>
      {waiting && (
        <span role="status" className={styles.waiting}>
          {refused ?? t('remapPress')}
        </span>
      )}
      <button
        type="button"
        className={styles.keyButton}
        aria-pressed={waiting}
        onClick={() => setWaiting(true)}
        onKeyDown={press}
        onBlur={end}
      >
        <span className="visually-hidden">{t('remap', { title, keys: spokenKeys(shown) })}</span>
        <Keys keys={keys} />
      </button>
    </>
  );
}
