/** How a list is made of cards: sorted, and grouped under headings. Pure. */
import type { Workflow } from '@/api/types';
import { type GroupKind, grouped, type Known } from '@/items/groups';
import { byName } from '@/lib/text';
import type { Card } from '@/store/feed';
import { byRank, numberOf } from '@/store/rank';
import { PRIORITY_ORDER } from '@/ui/glyphs';

export const GROUPS = [
  'none',
  'state',
  'assignee',
  'priority',
  'type',
  'label',
  'sprint',
  'milestone',
  'parent',
] as const satisfies readonly GroupKind[];
export type ListGroup = (typeof GROUPS)[number];

export type Row =
  | { kind: 'group'; id: string; name: string; count: number; group?: Card['stateGroup'] }
  /** `again`: the item stands further up already, under another label. */
  | { kind: 'item'; id: string; card: Card; again: boolean };

/** Rows in order. `sort` begins with `-` for the other direction; `all` has the parents of what is shown. */
export function rowsOf(
  cards: readonly Card[],
  known: Known,
  kind: ListGroup,
  sort: string,
  all: readonly Card[] = cards,
): Row[] {
  const sorted = sort === '' || sort === 'rank' ? cards : [...cards].sort(comparison(sort, known.workflow));
  if (kind === 'none') return sorted.map((card) => ({ kind: 'item', id: card.key, card, again: false }));
  const seen = new Set<string>();
  return grouped(sorted, kind, known, all).flatMap(({ id, name, cards: members }) => {
    const state = kind === 'state' ? members[0]?.stateGroup : undefined;
    const heading: Row = {
      kind: 'group',
      id: `group ${id}`,
      name,
      count: members.length,
      ...(state && { group: state }),
    };
    const rows = members.map((card): Row => {
      const again = seen.has(card.key);
      seen.add(card.key);
      return { kind: 'item', id: again ? `${card.key} ${id}` : card.key, card, again };
    });
    return [heading, ...rows];
  });
}

function comparison(sort: string, workflow: Workflow): (a: Card, b: Card) => number {
  const down = sort.startsWith('-');
  const column = sort.replace(/^-/, '');
  const states = new Map(workflow.states.map((state, at) => [state.name, at]));
  const compare = (a: Card, b: Card): number => {
    switch (column) {
      case 'key':
        return numberOf(a.key) - numberOf(b.key);
      case 'title':
        return byName(a.title, b.title);
      case 'state':
        return (states.get(a.state) ?? 0) - (states.get(b.state) ?? 0);
      case 'priority':
        return PRIORITY_ORDER.indexOf(b.priority) - PRIORITY_ORDER.indexOf(a.priority);
      case 'assignee':
        return byName(a.assignee?.name ?? '\uffff', b.assignee?.name ?? '\uffff');
      case 'estimate':
        return (a.estimate ?? -1) - (b.estimate ?? -1);
      case 'remaining':
        return (a.remaining ?? -1) - (b.remaining ?? -1);
      case 'due':
        return byDue(a.due, b.due, down);
      case 'created':
        return a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0;
      case 'updated':
        return a.updatedAt < b.updatedAt ? -1 : a.updatedAt > b.updatedAt ? 1 : 0;
      default:
        return 0;
    }
  };
  return (a, b) => (down ? compare(b, a) : compare(a, b)) || byRank(a, b);
}

/** The nearest day first; without a day an item comes last, in the other direction too. */
function byDue(a: string | undefined, b: string | undefined, down: boolean): number {
  if (a && b) return a < b ? -1 : a > b ? 1 : 0;
  const last = down ? -1 : 1;
  return (a ? 0 : last) - (b ? 0 : last);
}
