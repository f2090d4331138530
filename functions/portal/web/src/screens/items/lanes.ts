/** The parts in which the items of an organization are shown: each is a question of its own, with its real total. Pure. */
import type { StateGroup } from '@/api/types';
import type { Card } from '@/store/feed';
import { PRIORITY_ORDER, priorityName } from '@/ui/glyphs';
import { t } from './strings';

export const GROUPS = ['none', 'state', 'priority', 'assignee'] as const;
export type GroupKind = (typeof GROUPS)[number];

export const SORTS = ['-updated', '-priority', 'due', '-created', 'key'] as const;
export type Sort = (typeof SORTS)[number];

/** Most people that have a part of their own. */
const MOST = 12;

export interface Lane {
  id: string;
  name: string;
  /** What it adds to the filter. */
  term: string;
  state?: StateGroup;
  priority?: (typeof PRIORITY_ORDER)[number];
  /** The person whose items they are; null for nobody's. */
  assignee?: { id: string; name: string } | null;
  /** Whether it is asked for only when somebody opens it. */
  shut?: boolean;
}

export const STATE_LANES: readonly Lane[] = (['backlog', 'active', 'resolved', 'closed'] as const).map(
  (state) => ({
    id: state,
    name: t(`state.${state}`),
    term: `state:${state}`,
    state,
    shut: state === 'closed',
  }),
);

/** The parts of a grouping. `people` are those who have items. */
export function lanesOf(
  group: GroupKind,
  people: readonly { value?: string | null; name?: string | null }[],
): Lane[] {
  if (group === 'state') return [...STATE_LANES];
  if (group === 'priority')
    return PRIORITY_ORDER.map((priority) => ({
      id: priority,
      name: priorityName(priority),
      term: `priority:${priority}`,
      priority,
    }));
  if (group === 'assignee') {
    const named = people.flatMap(({ value, name }) => (value ? [{ id: value, name: name ?? value }] : []));
    return [
      ...named
        .slice(0, MOST)
        .map(({ id, name }) => ({ id, name, term: `assignee:${id}`, assignee: { id, name } })),
      { id: 'none', name: t('nobody'), term: 'assignee:none', assignee: null },
    ];
  }
  return [{ id: 'all', name: t('title'), term: '' }];
}

/** A filter with what a part adds to it. */
export function within(filter: string, term: string): string {
  return [filter, term].filter(Boolean).join(' ');
}

/** Whether an item, as it is shown now, belongs to a part. */
export function belongs(lane: Lane, card: Pick<Card, 'stateGroup' | 'priority' | 'assignee'>): boolean {
  if (lane.state) return card.stateGroup === lane.state;
  if (lane.priority) return card.priority === lane.priority;
  if (lane.assignee !== undefined) return (card.assignee?.id ?? null) === (lane.assignee?.id ?? null);
  return true;
}
