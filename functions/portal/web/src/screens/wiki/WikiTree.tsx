import { Link } from '@tanstack/react-router';
import { Bot, ChevronRight, FileText, Folder } from 'lucide-react';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { WikiEntry } from '@/data/wiki';
import { cx } from '@/lib/class-names';
import { useLocal } from '@/lib/local';
import { plain } from '@/lib/text';
import { Icon } from '@/ui/Icon';
import { t } from './strings';
import { isFactory, nameOf, parentOf, step, visibleNodes } from './tree';
import styles from './wiki.module.css';

const MIME = 'application/x-svc-page';

interface WikiTreeProps {
  slug: string;
  project: string;
  entries: readonly WikiEntry[];
  current: string;
  /** Moves a page below another, or to the top; missing where nothing may be moved. */
  onMove: ((path: string, below: string) => void) | undefined;
}

/** The pages as a tree: one tab stop, arrows within, pages dragged onto pages. */
export function WikiTree({ slug, project, entries, current, onMove }: WikiTreeProps) {
  const [stored, store] = useLocal<string[]>(`wiki.folded.${slug}.${project}`, []);
  const folded = useMemo(() => new Set(stored), [stored]);
  const nodes = useMemo(() => visibleNodes(entries, folded), [entries, folded]);
  const [focused, setFocused] = useState<string>();
  const [over, setOver] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const active = nodes.some((node) => node.path === (focused ?? current))
    ? (focused ?? current)
    : nodes[0]?.path;

  const fold = (path: string, to: boolean) =>
    store(to ? [...stored, path] : stored.filter((other) => other !== path));
  const press = (event: KeyboardEvent, at: number) => {
    const next = step(nodes, at, event.key, folded);
    if (!next) return;
    event.preventDefault();
    if ('fold' in next) return fold(next.fold, next.to);
    const path = nodes[next.focus]?.path;
    setFocused(path);
    list.current?.querySelector<HTMLElement>(`[data-at="${next.focus}"]`)?.focus();
  };
  const drop = (path: string, below: string) => {
    setOver(undefined);
    if (path && path !== below && parentOf(path) !== below && !below.startsWith(`${path}/`))
      onMove?.(path, below);
  };

  return (
    <div
      ref={list}
      role="tree"
      aria-label={t('pages')}
      className={styles.tree}
      onDragOver={(event) => onMove && event.dataTransfer.types.includes(MIME) && event.preventDefault()}
      onDrop={(event) => drop(event.dataTransfer.getData(MIME), '')}
    >
      {nodes.map(({ path, entry, level, hasChildren }, at) => (
        <div
          key={path}
          role="none"
          className={cx(styles.node, over === path && styles.over)}
          style={{ '--level': level } as React.CSSProperties}
        >
          <button
            type="button"
            tabIndex={-1}
            aria-hidden
            className={cx(styles.twist, !hasChildren && styles.leaf, !folded.has(path) && styles.open)}
            onClick={() => fold(path, !folded.has(path))}
          >
            <Icon of={ChevronRight} size={12} />
          </button>
          <Link
            to="/o/$slug/p/$project/wiki/$"
            params={{ slug, project, _splat: path }}
            role="treeitem"
            aria-level={level}
            aria-selected={path === current}
            aria-expanded={hasChildren ? !folded.has(path) : undefined}
            tabIndex={path === active ? 0 : -1}
            data-at={at}
            className={cx(styles.page, path === current && styles.current)}
            draggable={onMove !== undefined && entry !== undefined}
            onDragStart={(event) => event.dataTransfer.setData(MIME, path)}
            onDragEnter={() => setOver(path)}
            onDragEnd={() => setOver(undefined)}
            onDrop={(event) => {
              event.preventDefault();
              event.stopPropagation();
              drop(event.dataTransfer.getData(MIME), path);
            }}
            onFocus={() => setFocused(path)}
            onKeyDown={(event) => press(event, at)}
          >
            <Icon
              of={entry === undefined ? Folder : isFactory(path) ? Bot : FileText}
              size={14}
              className={isFactory(path) ? styles.agent : undefined}
            />
            <span className="truncate">{plain(nameOf(path))}</span>
          </Link>
        </div>
      ))}
    </div>
  );
}
