import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
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
import { type Lane, within } from './lanes';
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
  onOpen: (key: string) => void;
}

const useLane = ({ slug, filter, q, sort }: Asked, lane: Lane, enabled: boolean): Work =>
  useWork(slug, within(filter, lane.term), sort, { enabled, q });

function Glyph({ lane }: { lane: Lane }) {
  if (lane.state) return <StateGlyph group={lane.state} />;
  return lane.priority ? <PriorityGlyph priority={lane.priority} /> : null;
}

/** A part of the list under its heading, with how many there are in all. */
export function ListLane({ asked, lane, bare, ...rest }: LaneProps & { bare: boolean }) {
  const [open, setOpen] = useState(!lane.shut);
  const work = useLane(asked, lane, open);
  if (!bare && work.ready && work.total === 0) return null;
  const name = plain(lane.name);
  return (
    <section className={styles.lane} aria-label={name}>
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
      {open && <Lines asked={asked} work={work} {...rest} label={name} />}
    </section>
  );
}

function Lines({
  asked,
  work,
  label,
  tabbable,
  onOpen,
}: Omit<LaneProps, 'lane'> & { work: Work; label: string }) {
  if (work.error !== undefined && !work.ready) return <ProblemPanel error={work.error} retry={work.retry} />;
  if (!work.ready) return <Skeleton label={t('loading')} rows={5} height={28} />;
  return (
    <>
      <div role="table" aria-label={label} aria-rowcount={work.total}>
        {work.items.map((item) => (
          <ItemLine
            key={item.key}
            slug={asked.slug}
            item={item}
            tabbable={item.key === tabbable}
            onOpen={onOpen}
          />
        ))}
      </div>
      <More work={work} />
    </>
  );
}

/** A column of the board: the items of a group of states, whatever each project calls them. */
export function BoardLane({ asked, lane, tabbable, onOpen }: LaneProps) {
  const work = useLane(asked, lane, true);
  const name = plain(lane.name);
  return (
    <section className={styles.column} aria-label={name} data-column={lane.id}>
      <h2 className={styles.columnHead}>
        <Glyph lane={lane} />
        {name}
        {work.ready && <span className="meta tabular">{work.total.toLocaleString('en')}</span>}
      </h2>
      <div className={styles.cards}>
        {work.error !== undefined && !work.ready && <ProblemPanel error={work.error} retry={work.retry} />}
        {!work.ready && work.error === undefined && <Skeleton label={t('loading')} rows={4} height={80} />}
        {work.ready && work.total === 0 && <p className={styles.nothing}>{t('emptyColumn')}</p>}
        {work.items.map((item) => (
          <ItemCard
            key={item.key}
            slug={asked.slug}
            item={item}
            tabbable={item.key === tabbable}
            onOpen={onOpen}
          />
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
