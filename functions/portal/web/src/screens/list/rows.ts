/** How a list is made of cards: sorted, and grouped under headings. Pure. */
import type { Workflow } from '@/api/types';
import type { Card } from '@/store/feed';
import { byRank, numberOf } from '@/store/rank';
import { PRIORITY_ORDER, priorityName, TYPE_ORDER, typeName } from '@/ui/glyphs';
import { t } from './strings';

export const GROUPS = ['none', 'state', 'assignee', 'priority', 'type'] as const;
export type GroupKind = (typeof GROUPS)[number];

export type Row =
  | { kind: 'group'; id: string; name: string; count: number; group?: Card['stateGroup'] }
  | { kind: 'item'; card: Card };

/** Rows in order. `sort` begins with `-` for the other direction. */
export function rowsOf(cards: readonly Card[], workflow: Workflow, group: GroupKind, sort: string): Row[] {
  const sorted = sort === '' || sort === 'rank' ? cards : [...cards].sort(comparison(sort, workflow));
  if (group === 'none') return sorted.map((card) => ({ kind: 'item', card }));
  const groups = new Map<string, Card[]>();
  for (const card of sorted) {
    const id = idOf(card, group);
    const members = groups.get(id);
    if (members) members.push(card);
    else groups.set(id, [card]);
  }
  const ordered = [...groups].sort(
    ([a], [b]) => place(a, group, workflow) - place(b, group, workflow) || a.localeCompare(b),
  );
  return ordered.flatMap(([id, members]) => {
    const name = nameOf(id, members[0], group);
    const heading: Row = {
      kind: 'group',
      id,
      name,
      count: members.length,
      ...(group === 'state' && members[0] ? { group: members[0].stateGroup } : {}),
    };
    return [heading, ...members.map((card): Row => ({ kind: 'item', card }))];
  });
}

function idOf(card: Card, group: GroupKind): string {
  if (group === 'state') return card.state;
  if (group === 'assignee') return card.assignee?.id ?? '';
  return group === 'priority' ? card.priority : card.type;
}

function nameOf(id: string, card: Card | undefined, group: GroupKind): string {
  if (group === 'assignee') return card?.assignee?.name ?? t('nobody');
  if (group === 'priority') return priorityName(id);
  return group === 'type' ? typeName(id) : id;
}

function place(id: string, group: GroupKind, workflow: Workflow): number {
  if (group === 'state') return workflow.states.findIndex((state) => state.name === id);
  if (group === 'priority') return PRIORITY_ORDER.indexOf(id as never);
  if (group === 'type') return TYPE_ORDER.indexOf(id as never);
  return id === '' ? 1 : 0;
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
        return a.title.localeCompare(b.title);
      case 'state':
        return (states.get(a.state) ?? 0) - (states.get(b.state) ?? 0);
      case 'priority':
        return PRIORITY_ORDER.indexOf(b.priority) - PRIORITY_ORDER.indexOf(a.priority);
      case 'assignee':
        return (a.assignee?.name ?? '\uffff').localeCompare(b.assignee?.name ?? '\uffff');
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
