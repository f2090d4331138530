import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Minus, Plus } from 'lucide-react';
import { type DragEvent, useMemo, useRef, useState } from 'react';
import type { Sprint } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { nameOf } from '@/commands/keys';
import { setSprint } from '@/items/actions';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import type { Card } from '@/store/feed';
import { useCards, useProject } from '@/store/hooks';
import { IconButton } from '@/ui/Button';
import { PriorityGlyph, StateGlyph, TypeGlyph } from '@/ui/glyphs';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { CapacityBar } from '../sprints/CapacityBar';
import { planLists } from './planning';
import styles from './sprint.module.css';
import { t } from './strings';

const ROW = 36;
const MIME = 'application/x-svc-item';

/** The backlog beside the sprint. Items move by button, key or drag. */
export function Plan({ slug, project, sprint }: { slug: string; project: string; sprint: Sprint }) {
  const { graph, loaded, error, retry } = useProject(slug, project);
  const cards = useCards(graph);
  const [query, setQuery] = useState('');
  const lists = useMemo(() => planLists(cards, sprint.id, query), [cards, sprint.id, query]);
  const { write, frozen } = useItemAccess(slug, project);
  const may = write && !frozen && sprint.state !== 'completed';
  if (error && !loaded) return <ProblemPanel error={error} retry={retry} />;
  if (!loaded) {
    return (
      <div className={styles.loading}>
        <Skeleton label={t('loading')} rows={10} />
      </div>
    );
  }
  const move = (key: string, into: boolean) => {
    const card = graph.card(key);
    if (card && may && (card.sprint === sprint.id) !== into)
      setSprint({ slug, project }, [card], into ? sprint : undefined);
  };
  return (
    <>
      <div className={styles.planBar}>
        <input
          type="search"
          className={styles.search}
          aria-label={t('find')}
          placeholder={t('find')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <CapacityBar estimate={lists.estimate} capacity={sprint.capacity} />
      </div>
      <div className={styles.plan}>
        <Side
          slug={slug}
          project={project}
          title={t('backlog')}
          cards={lists.backlog}
          into={false}
          move={may ? move : undefined}
          empty={query ? t('noneFound') : t('backlogEmpty')}
        />
        <Side
          slug={slug}
          project={project}
          title={plain(sprint.name)}
          cards={lists.planned}
          into
          move={may ? move : undefined}
          empty={query ? t('noneFound') : t('planEmpty')}
        />
      </div>
    </>
  );
}

interface SideProps {
  slug: string;
  project: string;
  title: string;
  cards: Card[];
  /** Whether this is the sprint's side. */
  into: boolean;
  move: ((key: string, into: boolean) => void) | undefined;
  empty: string;
}

function Side({ slug, project, title, cards, into, move, empty }: SideProps) {
  const box = useRef<HTMLDivElement>(null);
  const [over, setOver] = useState(false);
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  const accepts = (event: DragEvent) => move && event.dataTransfer.types.includes(MIME);
  return (
    <section
      aria-label={title}
      className={cx(styles.side, over && styles.over)}
      onDragOver={(event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const key = event.dataTransfer.getData(MIME);
        if (key) move?.(key, into);
      }}
    >
      <h2 className={styles.sideHead}>
        {title} <span className="meta tabular">{cards.length}</span>
      </h2>
      <div ref={box} className={styles.sideBox}>
        {cards.length === 0 && <p className={styles.empty}>{empty}</p>}
        <ul className={styles.sizer} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((row) => {
            const card = cards[row.index];
            if (!card) return null;
            return (
              <li
                key={card.key}
                className={styles.planRow}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <PlanRow slug={slug} project={project} card={card} into={into} move={move} />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

type PlanRowProps = Pick<SideProps, 'slug' | 'project' | 'into' | 'move'> & { card: Card };

function PlanRow({ slug, project, card, into, move }: PlanRowProps) {
  const label = t(into ? 'remove' : 'add', { key: card.key });
  return (
    <div
      className={styles.item}
      draggable={move !== undefined}
      onDragStart={(event) => {
        event.dataTransfer.setData(MIME, card.key);
        event.dataTransfer.effectAllowed = 'move';
      }}
    >
      <TypeGlyph type={card.type} />
      <span className={styles.key}>{card.key}</span>
      <Link
        to="/o/$slug/p/$project/items/$item"
        params={{ slug, project, item: card.key }}
        className={cx('truncate', styles.itemTitle)}
        draggable={false}
        onKeyDown={(event) => {
          if (nameOf(event.nativeEvent) === 't' && move) {
            event.preventDefault();
            move(card.key, !into);
          }
        }}
      >
        {plain(card.title)}
      </Link>
      <PriorityGlyph priority={card.priority} />
      <StateGlyph group={card.stateGroup} />
      <span className={styles.estimate}>{card.estimate ?? ''}</span>
      {move && (
        <IconButton
          icon={into ? Minus : Plus}
          size="small"
          label={label}
          keys="t"
          onClick={() => move(card.key, !into)}
        />
      )}
    </div>
  );
}
