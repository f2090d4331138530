import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from '@/lib/class-names';
import styles from './Page.module.css';

interface PageProps {
  /** Its `h1` and the document's title. */
  title: string;
  /** What it shows a part of, before the title: the name of a project. */
  of?: string | undefined;
  /** Before the title: where it is, a `Crumb` each. */
  crumbs?: ReactNode;
  /** At the end of the head: what can be done. */
  actions?: ReactNode;
  /** Under the head: tabs or a filter bar. */
  bar?: ReactNode;
  children: ReactNode;
  /** The content scrolls by itself, as a board does. */
  fill?: boolean;
  /** Narrow column for texts and forms. */
  narrow?: boolean;
  /** The `h1` is for screen readers and the tab's title only. */
  bare?: boolean;
}

/** The frame of a screen: head, bar, content. A change of route puts the focus on its `h1`. */
export function Page({ title, of, crumbs, actions, bar, children, fill, narrow, bare }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [title, of, 'svc'].filter(Boolean).join(' · ');
  }, [title, of]);
  useFocusOnArrival(heading);
  return (
    <div className={cx(styles.page, fill && styles.fill)}>
      {bare ? (
        <h1 ref={heading} tabIndex={-1} className="visually-hidden">
          {title}
        </h1>
      ) : (
        <header className={styles.head}>
          {crumbs}
          <h1 ref={heading} tabIndex={-1} className={cx(styles.title, of && styles.parted)}>
            {of && (
              <>
                <span className={styles.of}>{of}</span>{' '}
                <span className={styles.slash} aria-hidden>
                  /
                </span>
              </>
            )}
            {of ? <span>{title}</span> : title}
          </h1>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {bar && <div className={styles.bar}>{bar}</div>}
      <div className={cx(styles.content, narrow && styles.narrow)}>{children}</div>
    </div>
  );
}

/** A page above this one, and what parts it from the next. */
export function Crumb({ children }: { children: ReactNode }) {
  return (
    <>
      <span className={styles.crumb}>{children}</span>
      <span className={styles.slash} aria-hidden>
        /
      </span>
    </>
  );
}

let arrived = false;

/** Focuses the heading after a change of route, not on the first load. */
function useFocusOnArrival(heading: React.RefObject<HTMLHeadingElement | null>): void {
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
    arrived = true;
  }, [heading]);
}
