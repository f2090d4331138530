import { SquareKanban } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Workflow } from '@/api/types';
import { useItemAccess } from '@/app/access';
import { Page } from '@/app/Page';
import type { Command } from '@/commands/registry';
import { useLabelColors } from '@/data/projects';
import { FilterBar } from '@/filter/FilterBar';
import { WrongFilter } from '@/filter/WrongFilter';
import { moveCard, permits } from '@/items/actions';
import { BulkBar } from '@/items/Bulk';
import { CreateButton } from '@/items/CreateButton';
import { t as groups } from '@/items/group-strings';
import {
  create,
  focusItem,
  rangeSelection,
  useFollowingPeek,
  useItemCommands,
  useItemSelection,
} from '@/items/selection';
import { t as items } from '@/items/strings';
import { useGrouping, useKnown } from '@/items/useGrouping';
import { useMatcher } from '@/items/useMatcher';
import type { ProjectGraph } from '@/store/graph';
import { useCards } from '@/store/hooks';
import { Button } from '@/ui/Button';
import { Menu } from '@/ui/Menu';
import { EmptyState } from '@/ui/states';
import { Views } from '@/views/Views';
import styles from './board.module.css';
import {
  firstCard,
  LANES,
  type Lane,
  type LaneKind,
  lanesOf,
  neighbour,
  shownIn,
  spotOf,
  steady,
} from './columns';
import { useBoardDrag } from './drag';
import type { Landing } from './landing';
import { Lanes, PlainColumns, StateTabs } from './layout';
import { t } from './strings';

interface BoardProps {
  /** Of the project. */
  name: string;
  graph: ProjectGraph;
  workflow: Workflow;
  search: Partial<Record<string, string>>;
  onSearch: (next: Record<string, string | undefined>) => void;
  onOpen: (key: string) => void;
}

/** The board of a loaded project. */
export function Board({ name, graph, workflow, search, onSearch, onOpen }: BoardProps) {
  const { slug, project } = graph;
  const place = useMemo(() => ({ slug, project }), [slug, project]);
  const access = useItemAccess(slug, project);
  const cards = useCards(graph);
  const { filter = '', q = '' } = search;
  const [kind, setKind] = useGrouping(place, {
    name: 'lanes',
    kinds: LANES,
    first: 'none',
    search,
    onSearch,
  });
  const known = useKnown(place, workflow, kind);
  const { matches, wrong, unknown } = useMatcher(slug, project, filter, q);
  const lanes = useLanes(cards, known, kind, matches);
  const colors = useLabelColors(slug, project);
  const chosen = useItemSelection(() =>
    lanes.flatMap(({ columns }) => columns.flatMap(({ cards }) => cards.map(({ key }) => key))),
  );
  const root = useRef<HTMLDivElement>(null);
  const [tab, setTab] = useState<string>();
  const peek = (key: string) => onSearch({ peek: search.peek === key ? undefined : key });
  useFollowingPeek(chosen.focused, search.peek, peek);
  const movable = access.write && access.move && access.frozen === undefined;

  useItemCommands({
    ...place,
    chosen,
    access,
    onOpen,
    onPeek: peek,
    pointing: true,
    more: useMovement(lanes, chosen, graph, workflow, movable),
  });

  const drop = (landing: Landing) => {
    const card = graph.card(landing.key);
    if (card && moveCard(place, workflow, card, { state: landing.state, after: landing.after }))
      chosen.focus(card.key);
  };
  const mayDrop = (key: string, state: string) => permits(workflow, graph.card(key)?.state ?? '', state);
  const { dragging, over } = useBoardDrag(root, { enabled: movable, mayDrop, onDrop: drop });
  const from = dragging ? graph.card(dragging)?.state : undefined;

  const open = useCallback(
    (key: string, event: React.MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.button !== 0) return;
      event.preventDefault();
      onOpen(key);
    },
    [onOpen],
  );
  const focusedHere = chosen.focused && spotOf(lanes, chosen.focused) ? chosen.focused : undefined;
  const shared = {
    graph,
    colors,
    focused: focusedHere,
    tabbable: focusedHere ?? firstCard(lanes)?.key,
    selection: chosen.selection,
    over,
    onOpen: open,
    from,
    mayAdd: movable,
    workflow,
  };
  const total = cards.length;
  const shown = useMemo(() => shownIn(lanes), [lanes]);
  return (
    <Page
      fill
      title={t('board')}
      of={name}
      actions={
        <>
          <LaneMenu kind={kind} onChange={setKind} />
          {access.write && <CreateButton refusal={access.frozen} create={() => create(place)} />}
        </>
      }
      bar={
        <div className={styles.toolbar}>
          <FilterBar
            key={project}
            slug={slug}
            project={project}
            filter={filter}
            q={q}
            wrong={wrong}
            onChange={onSearch}
          />
          <Views
            slug={slug}
            project={project}
            listed={{ filter, q, sort: search.sort ?? '' }}
            opened={search.view}
            wrong={wrong.length > 0}
            onSearch={onSearch}
          />
          {graph.missing > 0 && (
            <span className="meta tabular">
              {t('missing', { total: total + graph.missing, shown: total })}
            </span>
          )}
          {(filter || q) && wrong.length === 0 && (
            <span className="meta tabular">{t('count', { shown, total })}</span>
          )}
        </div>
      }
    >
      {total === 0 ? (
        <EmptyState
          icon={SquareKanban}
          title={t('empty')}
          action={movable ? { label: t('create'), keys: 'c', run: () => create(place) } : undefined}
        />
      ) : unknown ? (
        <WrongFilter n={wrong.length} clear={() => onSearch({ filter: undefined, q: undefined })} />
      ) : shown === 0 ? (
        <EmptyState
          title={t('emptyFilter')}
          action={{ label: t('clearFilter'), run: () => onSearch({ filter: undefined, q: undefined }) }}
        />
      ) : (
        <>
          <StateTabs workflow={workflow} lanes={lanes} current={tab} onChange={setTab} />
          <div
            ref={root}
            className={kind === 'none' ? styles.board : styles.lanes}
            onFocus={(event) => {
              const key = (event.target as HTMLElement).dataset.card;
              if (key) chosen.focus(key);
            }}
            {...rangeSelection(chosen)}
          >
            <p className="visually-hidden">{t('help')}</p>
            {kind === 'none' ? (
              <PlainColumns {...shared} lane={lanes[0]} tab={tab} />
            ) : (
              <Lanes {...shared} lanes={lanes} tab={tab} />
            )}
          </div>
        </>
      )}
      <BulkBar place={place} chosen={chosen} access={access} />
    </Page>
  );
}

function LaneMenu({ kind, onChange }: { kind: LaneKind; onChange: (kind: LaneKind) => void }) {
  return (
    <Menu
      align="end"
      entries={() =>
        LANES.map((lane) => ({ label: groups(lane), checked: lane === kind, run: () => onChange(lane) }))
      }
      trigger={(props) => (
        <Button {...props} kind="ghost" size="small">
          {kind === 'none' ? t('lanes') : t('lanesBy', { by: groups(kind) })}
        </Button>
      )}
    />
  );
}

/** The lanes of the cards, in which what did not change stays the same object. */
function useLanes(...[cards, known, kind, matches]: Parameters<typeof lanesOf>): Lane[] {
  const last = useRef<Lane[]>([]);
  return useMemo(() => {
    last.current = steady(last.current, lanesOf(cards, known, kind, matches));
    return last.current;
  }, [cards, known, kind, matches]);
}

type Chosen = ReturnType<typeof useItemSelection>;

/** Keys that lead from card to card, and those that take the card along. */
function useMovement(
  lanes: Lane[],
  chosen: Chosen,
  graph: ProjectGraph,
  workflow: Workflow,
  movable: boolean,
): Command[] {
  const place = { slug: graph.slug, project: graph.project };
  const go =
    (way: 'up' | 'down' | 'left' | 'right', act: (key: string) => void = chosen.focus) =>
    () => {
      const spot = chosen.focused ? spotOf(lanes, chosen.focused) : undefined;
      const next = spot ? neighbour(lanes, spot, way) : firstCard(lanes);
      if (!next) return;
      act(next.key);
      focusItem(next.key);
    };
  const card = chosen.focused ? graph.card(chosen.focused) : undefined;
  const spot = card ? spotOf(lanes, card.key) : undefined;
  const sideways = (step: 1 | -1) => () => {
    if (!card) return;
    const states = workflow.states.map((state) => state.name);
    const start = states.indexOf(card.state);
    // The nearest state in that direction that the workflow leads to.
    for (let at = start + step; at >= 0 && at < states.length; at += step) {
      const state = states[at] ?? '';
      if (!permits(workflow, card.state, state)) continue;
      moveCard(place, workflow, card, { state });
      focusItem(card.key);
      return;
    }
    const beside = states[start + step];
    if (beside) moveCard(place, workflow, card, { state: beside });
  };
  const along = (step: 1 | -1) => () => {
    if (!card || !spot) return;
    const column = lanes[spot.lane]?.columns[spot.column]?.cards ?? [];
    const to = spot.row + step;
    if (to < 0 || to >= column.length) return;
    moveCard(place, workflow, card, {
      after: step > 0 ? (column[to]?.key ?? null) : (column[to - 1]?.key ?? null),
    });
    focusItem(card.key);
  };
  const moves: [string, Parameters<typeof items>[0], () => void][] = [
    ['shift+left', 'moveLeft', sideways(-1)],
    ['shift+right', 'moveRight', sideways(1)],
    ['shift+up', 'moveUp', along(-1)],
    ['shift+down', 'moveDown', along(1)],
  ];
  const hidden = true;
  return [
    { id: 'board.down', title: items('nextItem'), group: 'view', keys: 'j', run: go('down'), hidden },
    { id: 'board.up', title: items('previousItem'), group: 'view', keys: 'k', run: go('up'), hidden },
    ...(['up', 'down', 'left', 'right'] as const).map((way) => ({
      id: `board.arrow-${way}`,
      title: items(`focus.${way}`),
      group: 'view' as const,
      keys: way,
      run: go(way),
      hidden,
    })),
    {
      id: 'board.select-down',
      title: items('selectDown'),
      group: 'item',
      keys: 'shift+j',
      run: go('down', chosen.extend),
      hidden,
    },
    {
      id: 'board.select-up',
      title: items('selectUp'),
      group: 'item',
      keys: 'shift+k',
      run: go('up', chosen.extend),
      hidden,
    },
    ...(movable && card
      ? moves.map(([keys, title, run]) => ({
          id: `board.${title}`,
          title: items(title),
          group: 'item' as const,
          keys,
          run,
        }))
      : []),
  ];
}
