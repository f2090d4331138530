import { createContext, type ReactNode, useContext, useId } from 'react';
import { cx } from '@/lib/class-names';
import styles from './Section.module.css';

interface SectionProps {
  title: ReactNode;
  /** What it is for, in a sentence or two. */
  about?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  /** What cannot be taken back. */
  danger?: boolean;
  /** Its content has rows that reach from edge to edge. */
  flush?: boolean;
}

/** The heading that a page shows over its parts. A part of the same name shows it in the page's place. */
export const HeadingAbove = createContext<string | undefined>(undefined);

/** A part of a page with its heading. */
export function Section({ title, about, actions, children, danger, flush }: SectionProps) {
  const id = useId();
  const said = title === useContext(HeadingAbove);
  return (
    <section
      aria-labelledby={id}
      data-said={said || undefined}
      className={cx(styles.section, danger && styles.danger, flush && styles.flush)}
    >
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 id={id} className={cx(styles.title, said && styles.lead)}>
            {title}
          </h2>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}

/** Names and values, in two columns. Entries without a value are left out. */
export function Facts({ of, wide }: { of: readonly (readonly [string, ReactNode])[]; wide?: boolean }) {
  return (
    <dl className={cx(styles.facts, wide && styles.wide)}>
      {of
        .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name} className={styles.pair}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
