import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { address } from '@/lib/address';
import { cx } from '@/lib/class-names';
import styles from './Rows.module.css';

/** A dense list of things, a row each. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  glyph?: ReactNode;
  /** Its name. With `href`, the whole row leads there. */
  title: ReactNode;
  href?: string | undefined;
  /** Beside the title: chips. */
  tags?: ReactNode;
  /** Under the title. */
  detail?: ReactNode;
  /** At the end, in columns of equal width on wide screens. */
  facts?: ReactNode[];
  /** Buttons at the very end. */
  actions?: ReactNode;
  dimmed?: boolean;
  /** Rows that belong to it, under it. */
  inside?: ReactNode;
}

/** One row: what it is, what is known of it, what can be done with it. */
export function Row({ inside, ...props }: RowProps) {
  const className = cx(styles.row, props.href && styles.linked, props.dimmed && styles.dimmed);
  return inside ? (
    <li className={styles.group}>
      <div className={className}>
        <Cells {...props} />
      </div>
      <ul className={styles.inside}>{inside}</ul>
    </li>
  ) : (
    <li className={className}>
      <Cells {...props} />
    </li>
  );
}

function Cells({ glyph, title, href, tags, detail, facts, actions }: Omit<RowProps, 'inside'>) {
  return (
    <>
      {glyph && <span className={styles.glyph}>{glyph}</span>}
      <div className={styles.main}>
        <div className={styles.head}>
          {href ? (
            <Link {...address(href)} className={styles.link}>
              {title}
            </Link>
          ) : (
            <span className={styles.title}>{title}</span>
          )}
          {tags}
        </div>
        {detail && <div className={styles.detail}>{detail}</div>}
      </div>
      {facts && (
        <div className={styles.facts}>
          {facts.map((fact, at) => (
            <div key={at} className={styles.fact}>
              {fact}
            </div>
          ))}
        </div>
      )}
      {actions && <div className={styles.actions}>{actions}</div>}
    </>
  );
}
