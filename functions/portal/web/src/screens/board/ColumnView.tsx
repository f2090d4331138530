import { MoveRight } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { pick } from '@/items/pick';
import { t as items } from '@/items/strings';
import { useFixedWindow } from '@/lib/fixed-window';
import type { ProjectGraph } from '@/store/graph';
import { Button } from '@/ui/Button';
import { Icon } from '@/ui/Icon';
import styles from './board.module.css';
import { CardView } from './CardView';
import type { Column } from './columns';
import type { Landing } from './landing';
import { t } from './strings';

const HEIGHT = 92;
const GAP = 8;
/** Cards of a lane's cell that are drawn before asking for more. */
const CELL = 30;

interface CardsProps {
  graph: ProjectGraph;
  column: Column;
  lane: string;
  colors: ReadonlyMap<string, string>;
  focused: string | undefined;
  tabbable: string | undefined;
  selection: ReadonlySet<string>;
  over: Landing | undefined;
  refused: boolean;
  /** Whether fingers, which do not drag here, get a Move button on each card. */
  movable: boolean;
  onOpen: (key: string, event: React.MouseEvent) => void;
}

/** A column's cards, of which only the visible ones are in the document. */
export const VirtualCards = memo(function VirtualCards(props: CardsProps) {
  const { column, lane, focused, over, refused } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to, reveal } = useFixedWindow(scroller, column.cards.length, HEIGHT + GAP);
  const at = focused === undefined ? -1 : column.cards.findIndex((card) => card.key === focused);
  useEffect(() => {
    if (at >= 0) reveal(at);
  }, [at, reveal]);
  const before = from > 0 ? column.cards[from - 1]?.key : undefined;
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      data-column={column.state.name}
      data-lane={lane}
      data-over={over?.state === column.state.name || undefined}
      data-refused={refused || undefined}
    >
      <div
        style={{ height: column.cards.length * (HEIGHT + GAP), position: 'relative' }}
        data-before={before}
      >
        {column.cards.slice(from, to).map((card, row) => (
          <div
            key={card.key}
            className={styles.slot}
            style={{ transform: `translateY(${(from + row) * (HEIGHT + GAP)}px)` }}
          >
            <CardSlot {...props} id={card.key} />
            {over?.after === card.key && <Marker />}
          </div>
        ))}
        {over?.state === column.state.name && over.after === null && <Marker first />}
      </div>
    </div>
  );
});

/** A lane's cell: all its cards, up to a limit. */
export const CellCards = memo(function CellCards(props: CardsProps) {
  const { column, lane, over, refused } = props;
  const [limit, setLimit] = useState(CELL);
  const here = over?.state === column.state.name && over.lane === lane;
  return (
    <div
      className={styles.cell}
      data-column={column.state.name}
      data-lane={lane}
      data-over={here || undefined}
      data-refused={refused || undefined}
    >
      {here && over.after === null && <Marker first />}
      {column.cards.slice(0, limit).map((card) => (
        <div key={card.key} className={styles.inCell}>
          <CardSlot {...props} id={card.key} />
          {here && over.after === card.key && <Marker />}
        </div>
      ))}
      {column.cards.length > limit && (
        <Button size="small" kind="ghost" onClick={() => setLimit(limit + 100)}>
          {t('more', { n: column.cards.length - limit })}
        </Button>
      )}
    </div>
  );
});

function CardSlot({
  graph,
  id,
  colors,
  focused,
  tabbable,
  selection,
  movable,
  onOpen,
}: CardsProps & { id: string }) {
  const { slug, project } = graph;
  return (
    <>
      <CardView
        graph={graph}
        id={id}
        colors={colors}
        focused={focused === id}
        tabbable={tabbable === id}
        selected={selection.has(id)}
        onOpen={onOpen}
      />
      {movable && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.move}
          aria-label={items('moveTo', { key: id })}
          onClick={(event) => pick({ slug, project, kind: 'move', keys: [id], anchor: event.currentTarget })}
        >
          <Icon of={MoveRight} />
        </button>
      )}
    </>
  );
}

function Marker({ first }: { first?: boolean }) {
  return <div className={first ? styles.markerFirst : styles.marker} aria-hidden />;
}
