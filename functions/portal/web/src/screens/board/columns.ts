/** How a board is made of cards: columns, lanes and what each holds. Pure. */
import type { Workflow, WorkflowState } from '@/api/types';
import type { Card } from '@/store/feed';
import { PRIORITY_ORDER, priorityName } from '@/ui/glyphs';
import { t } from './strings';

export const LANES = ['none', 'assignee', 'priority', 'epic', 'label', 'agent'] as const;
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
  workflow: Workflow,
  kind: LaneKind,
  matches: (card: Card) => boolean,
): Lane[] {
  if (kind === 'none') return [laneOf('', '', cards, workflow, matches)];
  const names = new Map(cards.filter((card) => card.type === 'epic').map((card) => [card.key, card.title]));
  const groups = new Map<string, { name: string; cards: Card[] }>();
  for (const card of cards) {
    for (const { id, name } of keysOf(card, kind, names)) {
      const group = groups.get(id) ?? { name, cards: [] };
      group.cards.push(card);
      groups.set(id, group);
    }
  }
  const lanes = [...groups].map(([id, group]) => laneOf(id, group.name, group.cards, workflow, matches));
  return lanes.filter((lane) => lane.count > 0).sort((a, b) => order(a, b, kind));
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

function keysOf(card: Card, kind: LaneKind, epics: Map<string, string>): { id: string; name: string }[] {
  switch (kind) {
    case 'assignee':
      return [
        card.assignee ? { id: card.assignee.id, name: card.assignee.name } : { id: '', name: t('nobody') },
      ];
    case 'priority':
      return [{ id: card.priority, name: priorityName(card.priority) }];
    case 'epic': {
      const epic = card.parent && epics.has(card.parent) ? card.parent : undefined;
      return [epic ? { id: epic, name: `${epic} ${epics.get(epic)}` } : { id: '', name: t('noEpic') }];
    }
    case 'label':
      return card.labels.length > 0
        ? card.labels.map((name) => ({ id: name, name }))
        : [{ id: '', name: t('noLabel') }];
    case 'agent':
      return [
        card.claim?.agent
          ? { id: card.claim.holder, name: card.claim.holderName }
          : { id: '', name: t('noAgent') },
      ];
    default:
      return [{ id: '', name: '' }];
  }
}

/** By priority where that is the lane; otherwise by name, what belongs to none last. */
function order(a: Lane, b: Lane, kind: LaneKind): number {
  if (kind === 'priority')
    return PRIORITY_ORDER.indexOf(a.id as never) - PRIORITY_ORDER.indexOf(b.id as never);
  if ((a.id === '') !== (b.id === '')) return a.id === '' ? 1 : -1;
  return a.name.localeCompare(b.name);
}

export interface Spot {
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

function vertical(lanes: readonly Lane[], { lane, column, row }: Spot, step: 1 | -1): Card | undefined {
  const here = lanes[lane]?.columns[column]?.cards[row + step];
  if (here) return here;
  for (let at = lane + step; at >= 0 && at < lanes.length; at += step) {
    const cards = lanes[at]?.columns[column]?.cards ?? [];
    if (cards.length > 0) return step > 0 ? cards[0] : cards.at(-1);
  }
  return undefined;
}
