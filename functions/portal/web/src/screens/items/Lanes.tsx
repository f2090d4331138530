import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Item } from '@/api/types';
import { useShown } from '@/items/held';
import { cx } from '@/lib/class-names';
import { plain } from '@/lib/text';
import { Button } from '@/ui/Button';
import { PriorityGlyph, StateGlyph } from '@/ui/glyphs';
import { Icon } from '@/ui/Icon';
import { Skeleton } from '@/ui/Skeleton';
import { ProblemPanel } from '@/ui/states';
import { useWork, type Work } from '../home/useWork';
import { ItemCard } from './ItemCard';
import { ItemLine } from './ItemLine';
import styles from './items.module.css';
import { belongs, type Lane, within } from './lanes';
import { t } from './strings';

export interface Asked {
  slug: string;
  filter: string;
  q: string;
  sort: string;
}

interface LaneProps {
  asked: Asked;
  lane: Lane;
  /** Key of the item that the tab key leads to. */
  tabbable: string | undefined;
  selection?: ReadonlySet<string>;
  /** Items that were dropped a moment ago, of whatever part. */
  dropped?: readonly Item[];
  /** Whether a dragged item would land here. */
  over?: boolean;
  /** Selects an item, where several can be. */
  onToggle?: (key: string) => void;
  onOpen: (key: string) => void;
}

const useLane = ({ slug, filter, q, sort }: Asked, lane: Lane, enabled: boolean): Work =>
  useWork(slug, within(filter, lane.term), sort, { enabled, q });

function Glyph({ lane }: { lane: Lane }) {
  if (lane.state) return <StateGlyph group={lane.state} />;
  return lane.priority ? <PriorityGlyph priority={lane.priority} /> : null;
}

/** A part of the list under its heading, with how many there are in all. */
export function ListLane({ bare, ...props }: LaneProps & { bare: boolean }) {
  const { asked, lane, over } = props;
  const [open, setOpen] = useState(!lane.shut);
  const work = useLane(asked, lane, open);
  if (!bare && work.ready && work.total === 0) return null;
  const name = plain(lane.name);
  return (
    <section
      className={cx(styles.lane, over && styles.over)}
      aria-label={name}
      {...(!bare && { 'data-column': lane.id })}
    >
      {!bare && (
        <h2 className={styles.laneHead}>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={open}
            aria-label={t(open ? 'close' : 'open', { name })}
            onClick={() => setOpen(!open)}
          >
            <Icon of={open ? ChevronDown : ChevronRight} size={14} />
            <Glyph lane={lane} />
            {name}
          </button>
          {work.ready && <span className="meta tabular">{work.total.toLocaleString('en')}</span>}
        </h2>
      )}
      {open && <Lines {...props} work={work} label={name} />}
    </section>
  );
}

function Lines({ work, label, ...props }: LaneProps & { work: Work; label: string }) {
  const { asked, lane, tabbable, selection, onToggle, onOpen } = props;
  if (work.error !== undefined && !work.ready) return <ProblemPanel error={work.error} retry={work.retry} />;
  if (!work.ready) return <Skeleton label={t('loading')} rows={5} height={28} />;
  return (
    <>
      <div role="table" aria-label={label} aria-rowcount={work.total}>
        {withDropped(work.items, props.dropped).map((item) => (
          <Belonging key={item.key} slug={asked.slug} item={item} lane={lane} listed={work.items}>
            <ItemLine
              slug={asked.slug}
              item={item}
              tabbable={item.key === tabbable}
              selected={selection?.has(item.key) ?? false}
              onToggle={onToggle}
              onOpen={onOpen}
            />
          </Belonging>
        ))}
      </div>
      <More work={work} />
    </>
  );
}

/** A column of the board: the items of a group of states, whatever each project calls them. */
export function BoardLane({ asked, lane, tabbable, selection, dropped, over, onOpen }: LaneProps) {
  const work = useLane(asked, lane, true);
  const name = plain(lane.name);
  return (
    <section className={cx(styles.column, over && styles.over)} aria-label={name} data-column={lane.id}>
      <h2 className={styles.columnHead}>
        <Glyph lane={lane} />
        {name}
        {work.ready && <span className="meta tabular">{work.total.toLocaleString('en')}</span>}
      </h2>
      <div className={styles.cards}>
        {work.error !== undefined && !work.ready && <ProblemPanel error={work.error} retry={work.retry} />}
        {!work.ready && work.error === undefined && <Skeleton label={t('loading')} rows={4} height={80} />}
        {work.ready && work.total === 0 && <p className={styles.nothing}>{t('emptyColumn')}</p>}
        {withDropped(work.items, dropped).map((item) => (
          <Belonging key={item.key} slug={asked.slug} item={item} lane={lane} listed={work.items}>
            <ItemCard
              slug={asked.slug}
              item={item}
              tabbable={item.key === tabbable}
              selected={selection?.has(item.key) ?? false}
              onOpen={onOpen}
            />
          </Belonging>
        ))}
        <More work={work} />
      </div>
    </section>
  );
}

function More({ work: { items, total, more } }: { work: Work }) {
  const left = total - items.length;
  if (left <= 0) return null;
  return (
    <Button size="small" kind="ghost" className={styles.more ?? ''} onClick={more}>
      {t('more', { n: left })}
    </Button>
  );
}

/** What was dropped comes first in its part until the service lists it there. */
function withDropped(items: readonly Item[], dropped: readonly Item[] = []): readonly Item[] {
  const listed = new Set(items.map(({ key }) => key));
  return [...dropped.filter(({ key }) => !listed.has(key)), ...items];
}

interface BelongingProps {
  slug: string;
  item: Item;
  lane: Lane;
  listed: readonly Item[];
  children: ReactNode;
}

/** Shows an item where it belongs as it is now, also before the service lists it there. */
function Belonging({ slug, item, lane, listed, children }: BelongingProps) {
  const shown = useShown(slug, item);
  // What nobody changed here stays where the service lists it.
  const changed = shown !== item || !listed.includes(item);
  return changed && !belongs(lane, shown) ? null : children;
}
