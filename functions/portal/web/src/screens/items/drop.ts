/** Items of any project that are dropped on a part of the list or board. */
import type { Item, StateGroup, Workflow } from '@/api/types';
import { canQuery, workflowQuery } from '@/data/projects';
import { type EachMove, moveEach, permits, setFields } from '@/items/actions';
import { held } from '@/items/held';
import { projectOf } from '@/lib/text';
import type { Card } from '@/store/feed';
import { queries } from '@/store/queries';
import { toast } from '@/ui/toasts';
import type { Lane } from './lanes';
import { t } from './strings';

/** Whether the viewer may change an item, as far as the list of items told. */
export function mayChange(slug: string, key: string): boolean {
  return queries.getQueryData(canQuery(slug, projectOf(key)).queryKey)?.edit ?? true;
}

/** Reads what a drop of an item will need. */
export function readAheadOf(slug: string, key: string): void {
  void queries.prefetchQuery(workflowQuery(slug, projectOf(key)));
}

/** Gives items what the part stands for: the group of states, the priority or the person. */
export async function dropOn(slug: string, lane: Lane, items: readonly Item[]): Promise<void> {
  const cards = items.map((item) => held(slug, item));
  const [first] = cards;
  if (!first) return;
  const place = { slug, project: projectOf(first.key) };
  if (lane.priority) setFields(place, cards, { priority: lane.priority });
  else if (lane.assignee !== undefined)
    setFields(place, cards, { assignee: lane.assignee && { ...lane.assignee, agent: false } });
  else if (lane.state) moveEach(place, await movesTo(slug, lane.state, cards), lane.name);
}

async function movesTo(slug: string, group: StateGroup, cards: readonly Card[]): Promise<EachMove[]> {
  const moves = cards
    .filter((card) => card.stateGroup !== group)
    .map(async (card) => {
      const project = projectOf(card.key);
      const workflow = await queries.ensureQueryData(workflowQuery(slug, project));
      const state = stateIn(workflow, card.state, group);
      if (state === undefined) toast(t('noState', { project, group: t(`state.${group}`) }), { tone: 'bad' });
      return state === undefined ? [] : [{ card, workflow, state }];
    });
  return (await Promise.all(moves)).flat();
}

/** The first state of a group to which an item may go; where there is none, the first of the group. */
export function stateIn(workflow: Workflow, from: string, group: StateGroup): string | undefined {
  const states = workflow.states.filter((state) => state.group === group);
  return (states.find(({ name }) => permits(workflow, from, name)) ?? states[0])?.name;
}
