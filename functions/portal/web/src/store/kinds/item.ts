/**
 * Writes of items: creating one, changing fields, moving to a state or a place.
 *
 * Each is laid over the graph at once. When the service holds another version than the one that the change was made
 * on, the item is read again: fields that nobody else changed are sent again, a description is merged by line, and a
 * field that both changed becomes a question, with the other's value standing until it is answered.
 */
import { data, http } from '@/api/client';
import { isProblem, ProblemError } from '@/api/problem';
import type { MoveItem, NewItem, RenderedItem, UpdateItem } from '@/api/types';
import { emitter } from '@/lib/emitter';
import { returnCreation } from '../creation';
import { draftOf, returnDraft } from '../drafts';
import type { Card } from '../feed';
import { graphOf } from '../live';
import { contested, mergeText } from '../merge';
import { writeKind } from '../outbox';

/** What the store tells of its writes, for toasts, conflicts and undo. */
export const itemEvents = emitter<{
  /** Somebody else's value stands; the person may insist. */
  contested: { write: ItemChange; fields: string[]; now: Card };
  /** Both changed the description and lines overlap. */
  conflict: { change: ItemChange; mine: string; theirs: string; base: string; version: number };
  /** A refused title or description is a draft again, where it was written: `kept`. */
  refused: { key: string; problem: ProblemError; kept: boolean };
  created: { temporary: string; card: Card };
  /** A new item was refused. Everything that was filled in is a draft again. */
  uncreated: { creation: ItemCreation; problem: ProblemError; at: number };
  saved: { slug: string; card: Card };
}>();

/** One change of an item: of its fields, or of its state, place and sprint. */
export interface ItemChange {
  slug: string;
  project: string;
  key: string;
  /** What it looks like at once. */
  show: Partial<Card>;
  /** The same fields before, to know what others changed since. */
  before: Partial<Card>;
  /** The version that the change was made on. */
  version: number;
  request: { update: Omit<UpdateItem, 'version'> } | { move: Omit<MoveItem, 'version'> };
}

/** A new item with the key that it has until the service gives it one. */
export interface ItemCreation {
  slug: string;
  project: string;
  temporary: string;
  card: Card;
  body: NewItem;
}

const renamed = new Map<string, string>();

/** The key that the service gave to an item of a temporary key. */
export function finalKey(key: string): string {
  return renamed.get(key) ?? key;
}

export const changeItem = writeKind<ItemChange>('item.change', {
  show({ id, input }) {
    graphOf(input.slug, input.project).lay({ id, key: finalKey(input.key), fields: input.show });
  },
  async send({ id, input }) {
    const graph = graphOf(input.slug, input.project);
    const key = finalKey(input.key);
    const version = versionToSend(input, graph.baseOf(key));
    const card = await request(input, key, version, id);
    graph.confirm({ ...card, body: '' });
    itemEvents.emit('saved', { slug: input.slug, card });
  },
  async refused(write, problem) {
    const { input } = write;
    if (isProblem(problem, 'stale-version') && (await reconcile(write))) return true;
    graphOf(input.slug, input.project).lift(write.id);
    if (isProblem(problem, 'not-found', 'item-deleted'))
      graphOf(input.slug, input.project).forget(finalKey(input.key));
    if (isProblem(problem, 'stale-version')) return false;
    const kept = await keepTexts(input);
    itemEvents.emit('refused', { key: finalKey(input.key), problem, kept });
    return false;
  },
  settled({ id, input }) {
    graphOf(input.slug, input.project).lift(id);
  },
});

export const createItem = writeKind<ItemCreation>('item.create', {
  show({ id, input }) {
    graphOf(input.slug, input.project).lay({ id, key: input.temporary, fields: {}, creates: input.card });
  },
  async send({ id, input }) {
    const params = { path: { slug: input.slug, key: input.project } };
    const headers = { 'Idempotency-Key': id };
    const call = http.POST('/api/v1/orgs/{slug}/projects/{key}/items', { params, body: input.body, headers });
    const card = await data(call);
    renamed.set(input.temporary, card.key);
    const graph = graphOf(input.slug, input.project);
    graph.confirm({ ...card, body: '' });
    itemEvents.emit('created', { temporary: input.temporary, card });
  },
  async refused({ id, input, at }, problem) {
    graphOf(input.slug, input.project).lift(id);
    await returnCreation(input.slug, input.project, input.body);
    itemEvents.emit('uncreated', { creation: input, problem, at });
    return false;
  },
  settled({ id, input }) {
    graphOf(input.slug, input.project).lift(id);
  },
});

/**
 * The version to send a change under. What the stream told since may be what somebody else set in the same field: then
 * it is not overwritten under the newer version, but settled as a stale one. A description is in no card, so only the
 * version that it was read with counts.
 */
function versionToSend(input: ItemChange, base: Card | undefined): number {
  if (!base || 'body' in input.show) return input.version;
  if (contestedFields(input, base).length > 0) throw stale();
  return base.version;
}

/** A place is relative to its neighbours: two people who place a card do not contradict each other, the later counts. */
function contestedFields(input: ItemChange, now: Card): (keyof Card)[] {
  return contested<Card>(input.show, input.before, now).filter((field) => field !== 'rank');
}

/** Makes drafts again of the texts in a refused change. */
async function keepTexts({ slug, key, show, before }: ItemChange): Promise<boolean> {
  const { title, body } = show;
  if (title !== undefined) await returnDraft(draftOf.title(slug, finalKey(key)), title);
  if (body !== undefined) await returnDraft(draftOf.body(slug, finalKey(key)), body, before.body);
  return title !== undefined || body !== undefined;
}

function stale(): ProblemError {
  const problem = {
    type: 'stale-version',
    title: 'Somebody else saved first.',
    status: 409,
    traceId: '',
    errors: {},
  };
  return new ProblemError(problem);
}

async function request(input: ItemChange, key: string, version: number, id: string): Promise<Card> {
  const params = { path: { slug: input.slug, key } };
  const headers = { 'Idempotency-Key': `${id}.${version}` };
  const asked = input.request;
  if ('move' in asked) {
    const body = { version, ...asked.move };
    return data(http.POST('/api/v1/orgs/{slug}/items/{key}/move', { params, body, headers }));
  }
  return data(http.PATCH('/api/v1/orgs/{slug}/items/{key}', { params, body: { version, ...asked.update } }));
}

function read(input: ItemChange, key: string): Promise<RenderedItem> {
  return data(http.GET('/api/v1/orgs/{slug}/items/{key}', { params: { path: { slug: input.slug, key } } }));
}

/** Decides what becomes of a change that somebody was faster than. True sends it again. */
async function reconcile({ id, input }: { id: string; input: ItemChange }): Promise<boolean> {
  const graph = graphOf(input.slug, input.project);
  const now: Card = await read(input, finalKey(input.key));
  graph.confirm({ ...now, body: '' });
  const fields = contestedFields(input, now);
  input.version = now.version;
  if (fields.length === 0) {
    input.before = Object.fromEntries(
      Object.keys(input.before).map((field) => [field, now[field as keyof Card]]),
    );
    return true;
  }
  if (fields.length === 1 && fields[0] === 'body') return mergeBody(input, now.body, now.version);
  graph.lift(id);
  // The other's title stands, and this one is in its field again: whoever saves it from there has read the other's.
  if (fields.includes('title') && input.show.title !== undefined)
    await returnDraft(draftOf.title(input.slug, finalKey(input.key)), input.show.title, now.title);
  itemEvents.emit('contested', { write: input, fields: fields.map(String), now });
  return false;
}

function mergeBody(input: ItemChange, theirs: string, version: number): boolean {
  const mine = input.show.body ?? '';
  const base = input.before.body ?? '';
  const merged = mergeText(base, mine, theirs);
  if ('conflict' in merged) {
    itemEvents.emit('conflict', { change: input, mine, theirs, base, version });
    return false;
  }
  input.show = { ...input.show, body: merged.text };
  input.before = { ...input.before, body: theirs };
  if ('update' in input.request) input.request = { update: { ...input.request.update, body: merged.text } };
  return true;
}
