/** What items are put together by: the groups of a list, the lanes of a board. Pure. */
import type { Milestone, Sprint, Workflow } from '@/api/types';
import { byName } from '@/lib/text';
import type { Card } from '@/store/feed';
import { numberOf } from '@/store/rank';
import { PRIORITY_ORDER, priorityName, TYPE_ORDER, typeName } from '@/ui/glyphs';
import { t } from './group-strings';

export type GroupKind =
  | 'none'
  | 'state'
  | 'assignee'
  | 'priority'
  | 'type'
  | 'label'
  | 'sprint'
  | 'milestone'
  | 'parent'
  | 'epic'
  | 'agent';

export interface Group {
  /** Empty for what belongs to none. */
  id: string;
  name: string;
}

/** What groups are named and ordered by, beside the cards themselves. */
export interface Known {
  workflow: Workflow;
  sprints?: readonly Pick<Sprint, 'id' | 'name'>[] | undefined;
  milestones?: readonly Pick<Milestone, 'id' | 'name'>[] | undefined;
}

type Titles = ReadonlyMap<string, Card>;

/** The cards of each group, in order: as the project orders what it has, then by name, what belongs to none last. */
export function grouped(
  cards: readonly Card[],
  kind: GroupKind,
  known: Known,
  all: readonly Card[] = cards,
): (Group & { cards: Card[] })[] {
  const titles: Titles =
    kind === 'parent' || kind === 'epic' ? new Map(all.map((card) => [card.key, card])) : new Map();
  const groups = new Map<string, Group & { cards: Card[] }>();
  for (const card of cards) {
    for (const { id, name } of groupsOf(card, kind, known, titles)) {
      const group = groups.get(id) ?? { id, name, cards: [] };
      group.cards.push(card);
      groups.set(id, group);
    }
  }
  const places = new Map(orderOf(kind, known).map((id, at) => [id, at]));
  const place = ({ id }: Group) => (id === '' ? Number.POSITIVE_INFINITY : (places.get(id) ?? places.size));
  const compare = (a: Group, b: Group) =>
    kind === 'parent' ? numberOf(a.id) - numberOf(b.id) : byName(a.name, b.name);
  return [...groups.values()].sort((a, b) => {
    const [first, second] = [place(a), place(b)];
    return first === second ? compare(a, b) : first - second;
  });
}

function groupsOf(card: Card, kind: GroupKind, known: Known, titles: Titles): Group[] {
  const one = (id: string | null | undefined, name: string, none: string): Group[] =>
    id ? [{ id, name }] : [{ id: '', name: none }];
  const named = (list: readonly Group[] | undefined, id: string | null | undefined) =>
    list?.find((entry) => entry.id === id)?.name ?? '…';
  switch (kind) {
    case 'none':
      return [{ id: '', name: '' }];
    case 'state':
      return [{ id: card.state, name: card.state }];
    case 'priority':
      return [{ id: card.priority, name: priorityName(card.priority) }];
    case 'type':
      return [{ id: card.type, name: typeName(card.type) }];
    case 'assignee':
      return one(card.assignee?.id, card.assignee?.name ?? '', t('nobody'));
    case 'label':
      return card.labels.length > 0
        ? card.labels.map((name) => ({ id: name, name }))
        : [{ id: '', name: t('noLabel') }];
    case 'sprint':
      return one(card.sprint, named(known.sprints, card.sprint), t('noSprint'));
    case 'milestone':
      return one(card.milestone, named(known.milestones, card.milestone), t('noMilestone'));
    case 'parent':
      return one(card.parent, titled(card.parent, titles), t('noParent'));
    case 'epic': {
      const epic = card.parent && titles.get(card.parent)?.type === 'epic' ? card.parent : undefined;
      return one(epic, titled(epic, titles), t('noEpic'));
    }
    case 'agent':
      return one(card.claim?.agent ? card.claim.holder : '', card.claim?.holderName ?? '', t('noAgent'));
  }
}

function titled(key: string | null | undefined, titles: Titles): string {
  const title = key ? titles.get(key)?.title : undefined;
  return title ? `${key} ${title}` : (key ?? '');
}

/** Ids in the order that the project gives them. */
function orderOf(kind: GroupKind, { workflow, sprints, milestones }: Known): readonly string[] {
  switch (kind) {
    case 'state':
      return workflow.states.map(({ name }) => name);
    case 'priority':
      return PRIORITY_ORDER;
    case 'type':
      return TYPE_ORDER;
    case 'sprint':
      return (sprints ?? []).map(({ id }) => id);
    case 'milestone':
      return (milestones ?? []).map(({ id }) => id);
    default:
      return [];
  }
}
