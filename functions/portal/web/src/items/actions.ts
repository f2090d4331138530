/**
 * What can be done with an item, wherever it is shown: each action paints at once, goes into the outbox, says what
 * happened, and can be taken back where the workflow allows it.
 */
import type { ItemType, Priority, StateGroup, UpdateItem, Workflow } from '@/api/types';
import { announce } from '@/app/announcer';
import { plain } from '@/lib/text';
import type { Card } from '@/store/feed';
import { changeItem, finalKey, type ItemChange } from '@/store/kinds/item';
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

/** Changes fields of an item. */
export function setFields(place: Place, card: Card, fields: Fields, remember = true): void {
  const names = Object.keys(fields) as (keyof Fields & keyof Card)[];
  const before = Object.fromEntries(names.map((name) => [name, card[name]])) as Partial<Card>;
  write(place, {
    ...place,
    key: card.key,
    show: fields as Partial<Card>,
    before,
    version: card.version,
    request: { update: wire(fields) },
  });
  if (!remember || 'body' in fields) return;
  const label = t('changed', {
    key: card.key,
    field: names.map((name) => t(`field.${name}` as never)).join(', '),
  });
  undoable(label, () => {
    const now = current(place, card);
    if (!now) return;
    // A title that somebody wrote since is contested, not overwritten.
    const from = fields.title === undefined ? now : { ...now, title: fields.title };
    setFields(place, from, before as Fields, false);
  });
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
export function moveCard(place: Place, workflow: Workflow, card: Card, move: Move, remember = true): boolean {
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
  const state = elsewhere ? { state: to, stateGroup: groupOf(workflow, to) } : {};
  const spot = placed ? spotIn(place, card, columnOf(place, to), move.after ?? null) : undefined;
  write(place, {
    ...place,
    key: card.key,
    show: { ...state, ...(spot && { rank: spot.rank }) },
    before: {
      ...(elsewhere && { state: card.state, stateGroup: card.stateGroup }),
      ...(spot && card.rank !== undefined && { rank: card.rank }),
    },
    version: card.version,
    request: { move: { ...(elsewhere && { state: to }), ...(spot && { after: spot.after }) } },
  });
  tell(place, card, to);
  if (remember) {
    const from = card.state;
    const label = to === from ? t('placed', { key: card.key }) : t('moved', { key: card.key, state: to });
    if (permits(workflow, to, from)) {
      undoable(label, () => {
        const now = current(place, card);
        if (now) moveCard(place, workflow, now, { state: from, after: previous }, false);
      });
    } else {
      toast(label);
    }
  }
  return true;
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

function previousIn(column: readonly Card[], key: string): string | null {
  return column[column.findIndex((card) => card.key === key) - 1]?.key ?? null;
}

function groupOf(workflow: Workflow, state: string): StateGroup {
  return workflow.states.find((candidate) => candidate.name === state)?.group ?? 'backlog';
}

function tell(place: Place, card: Card, state: string): void {
  const column = columnOf(place, state);
  const at = column.findIndex((other) => other.key === card.key) + 1;
  announce(t('announced', { key: card.key, state, at, of: column.length }));
}

/** The card as it is now, under the key that it has now. */
function current(place: Place, card: Card): Card | undefined {
  return graphOf(place.slug, place.project).card(finalKey(card.key));
}

function write(place: Place, change: ItemChange): void {
  changeItem(`${place.slug}/${change.key}`, change);
}

/** "DEMO-7 Greet people by name", for names of controls. */
export function nameOf(card: Card): string {
  return `${card.key} ${plain(card.title)}`;
}
