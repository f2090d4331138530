import { Link } from '@tanstack/react-router';
import { address } from '@/lib/address';
import { useInSight } from './in-sight';
import styles from './LinkTabs.module.css';

interface LinkTab {
  label: string;
  href: string;
  current: boolean;
  /** A number worth knowing before going there. */
  count?: number | undefined;
}

/** Neighbouring pages as tabs: links, so that each has an address of its own. */
export function LinkTabs({ label, tabs }: { label: string; tabs: readonly LinkTab[] }) {
  const row = useInSight<HTMLElement>(tabs.find((tab) => tab.current)?.href);
  return (
    <nav ref={row} aria-label={label} className={styles.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          {...address(tab.href)}
          className={styles.tab}
          aria-current={tab.current ? 'page' : undefined}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {tab.label}
          {tab.count ? <span className={styles.count}>{tab.count.toLocaleString('en')}</span> : null}
        </Link>
      ))}
    </nav>
  );
}

interface TabButton<Id extends string> {
  id: Id;
  label: string;
  count?: number | string | undefined;
}

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly TabButton<Id>[];
  current: Id;
  onChange: (id: Id) => void;
  /** Id of the element that the tabs switch. */
  panel: string;
}

/** Tabs inside a page. Arrows move between them. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, panel }: TabsProps<Id>) {
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === current);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.id);
    const list = event.currentTarget;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <div role="tablist" aria-label={label} className={styles.tabs} tabIndex={-1} onKeyDown={press}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={tab.id === current}
          aria-controls={panel}
          tabIndex={tab.id === current ? 0 : -1}
          onClick={() => onChange(tab.id)}
        >
          {tab.label}
          {tab.count ? <span className={styles.count}>{tab.count.toLocaleString('en')}</span> : null}
        </button>
      ))}
    </div>
  );
}
