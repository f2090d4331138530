/**
 * What can be done with an item, wherever it is shown: each action paints at once, goes into the outbox, says what
 * happened, and can be taken back where the workflow allows it.
 */
import type { ItemType, Priority, Sprint, StateGroup, UpdateItem, Workflow } from '@/api/types';
import { announce } from '@/app/announcer';
import { plain, projectOf } from '@/lib/text';
import type { Card } from '@/store/feed';
import { changeItems, type ItemChange, inverse } from '@/store/kinds/item';
import { graphOf } from '@/store/live';
import { between } from '@/store/rank';
import { undoable } from '@/store/undo';
import { toast } from '@/ui/toasts';
import { t } from './strings';

/** Fields that are changed alike on one item and on many. */
export interface Fields {
  title?: string;
  type?: ItemType;
  priority?: Priority;
  assignee?: { id: string; name: string; agent: boolean } | null;
  labels?: string[];
  estimate?: number | null;
  remaining?: number | null;
  due?: string | null;
  milestone?: string | null;
  blocked?: boolean;
  parent?: string | null;
  body?: string;
}

export interface Place {
  slug: string;
  project: string;
}

/** The project of an item; of one that has no key yet, the one in which it is made. */
export function projectAt({ project }: Pick<Place, 'project'>, key: string): string {
  return key.startsWith('~') ? project : projectOf(key);
}

/** Changes fields of items: of several in one request, and taken back as one. */
export function setFields(place: Place, cards: readonly Card[], fields: Fields): void {
  const names = Object.keys(fields) as (keyof Fields & keyof Card)[];
  const changes = cards.map((card) =>
    changeOf(place, card, fields as Partial<Card>, { update: wire(fields) }),
  );
  changeItems(changes);
  if ('body' in fields) return;
  const field = names.map((name) => t(`field.${name}` as never)).join(', ');
  undoable(
    t('changed', { items: namesOf(cards), field }),
    changes.map((change) => inverse(change, { update: wire(change.before as Fields) })),
  );
}

/** Gives items a label, or takes it away. */
export function setLabel(place: Place, cards: readonly Card[], name: string, on: boolean): void {
  const changes = cards.map((card) => {
    const others = card.labels.filter((label) => label.toLowerCase() !== name.toLowerCase());
    const labels = on ? [...others, name].sort() : others;
    const update = on ? { addLabels: [name] } : { removeLabels: [name] };
    return changeOf(place, card, { labels }, { update });
  });
  changeItems(changes);
  undoable(
    t('changed', { items: namesOf(cards), field: t('field.labels') }),
    changes.map((change) => inverse(change, { update: { labels: change.before.labels ?? [] } })),
  );
}

/** Plans items for a sprint, or takes them out of theirs. */
export function setSprint(
  place: Place,
  cards: readonly Card[],
  to: Pick<Sprint, 'id' | 'name'> | undefined,
): void {
  const sprint = to?.id ?? null;
  const items = namesOf(cards);
  const label = to ? t('planned', { items, sprint: plain(to.name) }) : t('unplanned', { items });
  const changes = cards.map((card) => changeOf(place, card, { sprint }, { move: { sprint } }));
  changeItems(changes);
  announce(label);
  undoable(
    label,
    changes.map((change) => inverse(change, { move: { sprint: change.before.sprint ?? null } })),
  );
}

/** Fields as a request carries them. */
export function wire(fields: Fields): Omit<UpdateItem, 'version'> {
  const { assignee, due, milestone, ...rest } = fields;
  return {
    ...rest,
    ...(assignee !== undefined && { assignee: assignee?.id ?? null }),
    // A card without a day has no such field, also when the day is taken back.
    ...('due' in fields && { due: due ?? null }),
    ...('milestone' in fields && { milestone: milestone ?? null }),
  };
}

/** Whether the workflow has a move. */
export function permits(workflow: Workflow, from: string, to: string): boolean {
  return from === to || workflow.moves.some((move) => move.from === from && move.to === to);
}

/** Why an item cannot go to a state; nothing where it can. */
export function moveRefusal(workflow: Workflow, from: string, to: string): string | undefined {
  return permits(workflow, from, to) ? undefined : t('noMove', { from, to });
}

export interface Move {
  /** The state to move to. */
  state?: string;
  /** Key of the item to come after; null is the first place of the column. */
  after?: string | null;
}

/** Moves an item to a state, to a place among its neighbours, or both. */
export function moveCard(place: Place, workflow: Workflow, card: Card, move: Move): boolean {
  const to = move.state ?? card.state;
  const refusal = moveRefusal(workflow, card.state, to);
  if (refusal) {
    toast(refusal, { tone: 'bad' });
    return false;
  }
  const previous = previousIn(columnOf(place, card.state), card.key);
  const elsewhere = to !== card.state;
  const placed = move.after !== undefined && (elsewhere || move.after !== previous);
  if (!elsewhere && !placed) return true;
  const spot = placed ? spotIn(place, card, columnOf(place, to), move.after ?? null) : undefined;
  const change = changeOf(
    place,
    card,
    { ...(elsewhere && stateOf(workflow, to)), ...(spot && { rank: spot.rank }) },
    { move: { ...(elsewhere && { state: to }), ...(spot && { after: spot.after }) } },
  );
  // What it came after in the whole project leads it back to its place.
  const before = previousIn(graphOf(place.slug, place.project).cards(), card.key);
  changeItems([change]);
  tell(place, card, to);
  const label = elsewhere ? t('moved', { items: card.key, state: to }) : t('placed', { key: card.key });
  if (permits(workflow, to, card.state)) {
    const back = { ...(elsewhere && { state: card.state }), ...(spot && { after: before }) };
    undoable(label, [inverse(change, { move: back })]);
  } else {
    toast(label);
  }
  return true;
}

/** Moves items to a state. Those from whose state the workflow does not lead there stay, which is said. */
export function moveCards(place: Place, workflow: Workflow, cards: readonly Card[], state: string): void {
  const moves = cards.map((card) => ({ card, workflow, state }));
  moveEach(place, moves, state);
}

/** An item, the state that it goes to, and the workflow of its project. */
export interface EachMove {
  card: Card;
  workflow: Workflow;
  state: string;
}

/** Moves items, of several projects too, each to a state of its own workflow. `name` is where all of them go, in a word. */
export function moveEach(place: Place, moves: readonly EachMove[], name: string): void {
  const [first] = moves;
  if (first && moves.length === 1) {
    const project = projectAt(place, first.card.key);
    moveCard({ slug: place.slug, project }, first.workflow, first.card, { state: first.state });
    return;
  }
  const refused = moves.flatMap(
    ({ workflow, card, state }) => moveRefusal(workflow, card.state, state) ?? [],
  );
  const [why] = refused;
  if (why) toast(t('bulkFailed', { n: refused.length, why }), { tone: 'bad' });
  const moving = moves.filter(
    ({ workflow, card, state }) => card.state !== state && permits(workflow, card.state, state),
  );
  if (moving.length === 0) return;
  const changes = moving.map(({ card, workflow, state }) =>
    changeOf(place, card, stateOf(workflow, state), { move: { state } }),
  );
  changeItems(changes);
  const label = t('moved', { items: namesOf(moving.map(({ card }) => card)), state: name });
  announce(label);
  const back = changes.filter(({ before }, at) => {
    const { workflow, state } = moving[at] as EachMove;
    return permits(workflow, state, before.state ?? '');
  });
  if (back.length === 0) toast(label);
  else
    undoable(
      label,
      back.map((change) => inverse(change, { move: { state: change.before.state ?? '' } })),
    );
}

function stateOf(workflow: Workflow, state: string): Pick<Card, 'state' | 'stateGroup'> {
  return { state, stateGroup: groupOf(workflow, state) };
}

/** A change of an item as it is shown, and what it was before. */
function changeOf(place: Place, card: Card, show: Partial<Card>, request: ItemChange['request']): ItemChange {
  const names = Object.keys(show) as (keyof Card)[];
  const before = Object.fromEntries(names.map((name) => [name, card[name]]));
  // A picker's place holds more than can be kept.
  const { slug } = place;
  return {
    slug,
    project: projectAt(place, card.key),
    key: card.key,
    show,
    before,
    version: card.version,
    request,
  };
}

/** A place in a column. Its first is before its first card, which is after what precedes that in the whole project. */
function spotIn(place: Place, card: Card, column: readonly Card[], after: string | null) {
  const others = column.filter((other) => other.key !== card.key);
  const at = after === null ? -1 : others.findIndex((other) => other.key === after);
  const before = others[at];
  const next = others[at + 1];
  return {
    rank: between(before?.rank, next?.rank),
    after: before?.key ?? precedingKey(place, next, card.key),
  };
}

function precedingKey(place: Place, next: Card | undefined, moving: string): string | null {
  if (!next) return null;
  const all = graphOf(place.slug, place.project)
    .cards()
    .filter((card) => card.key !== moving);
  return all[all.findIndex((card) => card.key === next.key) - 1]?.key ?? null;
}

/** The cards of a column as they are ordered. */
export function columnOf(place: Place, state: string): readonly Card[] {
  return graphOf(place.slug, place.project)
    .cards()
    .filter((card) => card.state === state);
}

function previousIn(cards: readonly Card[], key: string): string | null {
  return cards[cards.findIndex((card) => card.key === key) - 1]?.key ?? null;
}

function groupOf(workflow: Workflow, state: string): StateGroup {
  return workflow.states.find((candidate) => candidate.name === state)?.group ?? 'backlog';
}

function tell(place: Place, card: Card, state: string): void {
  const column = columnOf(place, state);
  const at = column.findIndex((other) => other.key === card.key) + 1;
  announce(t('announced', { key: card.key, state, at, of: column.length }));
}

/** "DEMO-7", or "14 items". */
function namesOf(cards: readonly Card[]): string {
  const [first] = cards;
  return first && cards.length === 1 ? first.key : t('items', { n: cards.length });
}

/** "DEMO-7 Greet people by name", for names of controls. */
export function nameOf(card: Card): string {
  return `${card.key} ${plain(card.title)}`;
}
