import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Item } from '@/api/types';
import { DueDay } from '@/items/DueDay';
import { GlanceChip } from '@/items/GlanceChip';
import { plain, projectOf } from '@/lib/text';
import { Button } from '@/ui/Button';
import { DateTime } from '@/ui/DateTime';
import { PriorityGlyph, StateGlyph } from '@/ui/glyphs';
import styles from './home.module.css';
import { t } from './strings';
import type { Work } from './useWork';

interface SectionProps {
  id: string;
  title: string;
  total: number;
  children: ReactNode;
}

/** A part of Home, with how many there are in all. */
export function Section({ id, title, total, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title} id={id}>
      <h3 className={styles.heading}>
        {title} <span className={styles.count}>{total.toLocaleString('en')}</span>
      </h3>
      {children}
    </section>
  );
}

export function Rows({ slug, heading, items }: { slug: string; heading?: string; items: readonly Item[] }) {
  return (
    <>
      {heading && <h4 className={styles.group}>{heading}</h4>}
      <ul>
        {items.map((item) => (
          <li key={item.key}>
            <ItemRow slug={slug} item={item} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ItemRow({ slug, item }: { slug: string; item: Item }) {
  return (
    <Link
      to="/o/$slug/p/$project/items/$item"
      params={{ slug, project: projectOf(item.key), item: item.key }}
      className={styles.row}
      data-work={item.key}
    >
      <span className={styles.glyph}>
        <StateGlyph group={item.stateGroup} />
      </span>
      <span className={styles.key}>{item.key}</span>
      <span className={`${styles.title} truncate`}>{plain(item.title)}</span>
      <GlanceChip slug={slug} card={item} />
      <DueDay card={item} />
      <PriorityGlyph priority={item.priority} labelled />
      <span className={styles.state}>{plain(item.state)}</span>
      <span className={styles.when}>
        <DateTime at={item.updatedAt} />
      </span>
    </Link>
  );
}

/** Reads on where not all is shown. */
export function More({ work: { items, total, more } }: { work: Work }) {
  const left = total - items.length;
  if (left <= 0) return null;
  return (
    <Button size="small" kind="ghost" className={styles.more ?? ''} onClick={more}>
      {t('more', { n: left })}
    </Button>
  );
}
