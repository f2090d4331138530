import { Menu } from '@base-ui/react/menu';
import { Check, ChevronRight } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { cx } from '@/lib/class-names';
import { Keys } from '../Chip';
import { Icon } from '../Icon';
import type { MenuEntries, MenuEntry } from '../menu-entries';
import styles from './popups.module.css';

interface MenuPopupProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: RefObject<HTMLElement | null>;
  entries: () => MenuEntries;
  align: 'start' | 'end';
}

/** What opens under a menu's button. */
export default function MenuPopup({ open, onOpenChange, anchor, entries, align }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  // What an entry opened, such as a field, keeps the focus that it took.
  const back = () => {
    const { activeElement, body } = document;
    const taken = activeElement && activeElement !== body && !popup.current?.contains(activeElement);
    return taken ? false : anchor.current;
  };
  return (
    <Menu.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} align={align} sideOffset={4} className={styles.positioner}>
          <Menu.Popup ref={popup} className={cx(styles.popup, styles.menu)} finalFocus={back}>
            {open && <Entries entries={entries()} />}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Entries({ entries }: { entries: MenuEntries }) {
  return entries.map((entry, at) => {
    if (entry === '-') return <Menu.Separator key={at} className={styles.separator} />;
    if ('heading' in entry) {
      return (
        <div key={at} className={styles.heading} role="presentation">
          {entry.heading}
        </div>
      );
    }
    return entry.entries ? (
      <Nested key={entry.id ?? entry.label} entry={entry} />
    ) : (
      <Entry key={entry.id ?? entry.label} entry={entry} />
    );
  });
}

function Nested({ entry }: { entry: MenuEntry }) {
  return (
    <Menu.SubmenuRoot>
      <Menu.SubmenuTrigger className={styles.item}>
        <Face entry={entry} />
        <Icon of={ChevronRight} size={14} className={styles.more} />
      </Menu.SubmenuTrigger>
      <Menu.Portal>
        <Menu.Positioner className={styles.positioner} sideOffset={2}>
          <Menu.Popup className={cx(styles.popup, styles.menu)}>
            <Entries entries={entry.entries ?? []} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.SubmenuRoot>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  const className = cx(styles.item, entry.danger && styles.danger);
  if (entry.href) {
    return (
      <Menu.LinkItem
        className={className}
        href={entry.href}
        target={entry.href.startsWith('http') ? '_blank' : undefined}
        rel="noreferrer"
      >
        <Face entry={entry} />
      </Menu.LinkItem>
    );
  }
  return (
    <Menu.Item className={className} disabled={entry.refusal !== undefined} onClick={entry.run}>
      <Face entry={entry} />
    </Menu.Item>
  );
}

function Face({ entry }: { entry: MenuEntry }) {
  return (
    <>
      {entry.icon ? <Icon of={entry.icon} /> : entry.glyph}
      <span className={styles.label}>
        {entry.label}
        {entry.refusal && <span className={styles.refusal}>{entry.refusal}</span>}
      </span>
      {entry.checked && <Icon of={Check} size={14} />}
      {entry.keys && <Keys keys={entry.keys} />}
    </>
  );
}
