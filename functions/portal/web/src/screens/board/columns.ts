/** How a board is made of cards: columns, lanes and what each holds. Pure. */
import type { Workflow, WorkflowState } from '@/api/types';
import { type GroupKind, grouped, type Known } from '@/items/groups';
import type { Card } from '@/store/feed';

export const LANES = [
  'none',
  'assignee',
  'priority',
  'epic',
  'label',
  'sprint',
  'milestone',
  'agent',
] as const satisfies readonly GroupKind[];
export type LaneKind = (typeof LANES)[number];

export interface Column {
  state: WorkflowState;
  /** Cards that are shown, in order. */
  cards: readonly Card[];
  /** How many there are without the filter. */
  total: number;
  estimate: number;
}

export interface Lane {
  id: string;
  name: string;
  columns: Column[];
  count: number;
}

/** The lanes of a board, each with all columns. Without lanes there is one. */
export function lanesOf(
  cards: readonly Card[],
  known: Known,
  kind: LaneKind,
  matches: (card: Card) => boolean,
): Lane[] {
  const { workflow } = known;
  if (kind === 'none') return [laneOf('', '', cards, workflow, matches)];
  return grouped(cards, kind, known)
    .map((group) => laneOf(group.id, group.name, group.cards, workflow, matches))
    .filter((lane) => lane.count > 0);
}

/** The same lanes, with those columns of before that are no different: what draws them need not draw again. */
export function steady(before: readonly Lane[], now: Lane[]): Lane[] {
  const old = new Map(before.map((lane) => [lane.id, lane.columns]));
  return now.map((lane) => {
    const columns = old.get(lane.id) ?? [];
    return { ...lane, columns: lane.columns.map((column, at) => unlessSame(columns[at], column)) };
  });
}

function unlessSame(before: Column | undefined, now: Column): Column {
  const same =
    before !== undefined &&
    before.state === now.state &&
    before.total === now.total &&
    before.cards.length === now.cards.length &&
    before.cards.every((card, row) => card === now.cards[row]);
  return same ? before : now;
}

/** The first card of all. */
export function firstCard(lanes: readonly Lane[]): Card | undefined {
  for (const { columns } of lanes) for (const { cards } of columns) if (cards[0]) return cards[0];
  return undefined;
}

/** How many different cards are shown: with labels as lanes a card may be in several. */
export function shownIn(lanes: readonly Lane[]): number {
  if (lanes.length === 1) return lanes[0]?.count ?? 0;
  return new Set(lanes.flatMap(({ columns }) => columns.flatMap(({ cards }) => cards.map(({ key }) => key))))
    .size;
}

function laneOf(
  id: string,
  name: string,
  cards: readonly Card[],
  workflow: Workflow,
  matches: (card: Card) => boolean,
): Lane {
  const byState = new Map<string, { shown: Card[]; total: number; estimate: number }>();
  for (const card of cards) {
    const column = byState.get(card.state) ?? { shown: [], total: 0, estimate: 0 };
    byState.set(card.state, column);
    column.total++;
    if (!matches(card)) continue;
    column.shown.push(card);
    column.estimate += card.estimate ?? 0;
  }
  const columns = workflow.states.map((state) => {
    const found = byState.get(state.name);
    return { state, cards: found?.shown ?? [], total: found?.total ?? 0, estimate: found?.estimate ?? 0 };
  });
  return { id, name, columns, count: columns.reduce((sum, column) => sum + column.cards.length, 0) };
}

interface Spot {
  lane: number;
  column: number;
  row: number;
}

/** Where a card is. */
export function spotOf(lanes: readonly Lane[], key: string): Spot | undefined {
  for (const [lane, { columns }] of lanes.entries()) {
    for (const [column, { cards }] of columns.entries()) {
      const row = cards.findIndex((card) => card.key === key);
      if (row >= 0) return { lane, column, row };
    }
  }
  return undefined;
}

/** The card that an arrow key leads to. */
export function neighbour(
  lanes: readonly Lane[],
  spot: Spot,
  way: 'up' | 'down' | 'left' | 'right',
): Card | undefined {
  if (way === 'up' || way === 'down') return vertical(lanes, spot, way === 'down' ? 1 : -1);
  const step = way === 'right' ? 1 : -1;
  const columns = lanes[spot.lane]?.columns ?? [];
  for (let at = spot.column + step; at >= 0 && at < columns.length; at += step) {
    const cards = columns[at]?.cards ?? [];
    if (cards.length > 0) return cards[Math.min(spot.row, cards.length - 1)];
  }
  return undefined;
}

/** A card of two labels is in two lanes; keys lead to it in the first, so that they do not go round in a circle. */
function vertical(lanes: readonly Lane[], { lane, column, row }: Spot, step: 1 | -1): Card | undefined {
  for (let at = lane; at >= 0 && at < lanes.length; at += step) {
    const cards = lanes[at]?.columns[column]?.cards ?? [];
    const start = at === lane ? row + step : step > 0 ? 0 : cards.length - 1;
    for (let place = start; place >= 0 && place < cards.length; place += step) {
      const card = cards[place];
      if (card && (at === 0 || spotOf(lanes, card.key)?.lane === at)) return card;
    }
  }
  return undefined;
}
