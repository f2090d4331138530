/**
 * Writes of items: creating one, changing fields, moving to a state or a place.
 *
 * Each is laid over the graph at once. When the service holds another version than the one that the change was made
 * on, the item is read again: fields that nobody else changed are sent again, a description is merged by line, and a
 * field that both changed becomes a question, with the other's value standing until it is answered.
 */

import { data, http } from '@/api/client';
import { isProblem, ProblemError } from '@/api/problem';
import type { BulkChange, BulkResult, MoveItem, NewItem, RenderedItem, UpdateItem } from '@/api/types';
import { emitter } from '@/lib/emitter';
import { insist } from '@/lib/parts';
import { contested, same } from '../contested';
import { draftOf, returnDraft } from '../drafts';
import type { Card } from '../feed';
import { graphOf } from '../live';
import { writeKind } from '../outbox';
import type { Write } from '../write';

/** What the store tells of its writes, for toasts, conflicts and undo. */
export const itemEvents = emitter<{
  /** Somebody else's value stands; the person may insist. */
  contested: { write: ItemChange; fields: string[]; now: Card; batch?: string | undefined };
  /** Both changed the description and lines overlap. */
  conflict: { change: ItemChange; mine: string; theirs: string; base: string; version: number };
  /** A refused title or description is a draft again, where it was written: `kept`. */
  refused: {
    change: ItemChange;
    key: string;
    problem: ProblemError;
    kept: boolean;
    batch?: string | undefined;
  };
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
  /** What this person had set there, where it is taken back: cards may be older than that, and it is nobody else's. */
  own?: Partial<Card>;
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

const changeItem = writeKind<ItemChange>('item.change', {
  show({ id, input, at }) {
    graphOf(input.slug, input.project).lay({ id, at, key: finalKey(input.key), fields: input.show });
  },
  async send({ id, input }) {
    const graph = graphOf(input.slug, input.project);
    const key = finalKey(input.key);
    if (isOvertaken(input, graph.baseOf(key))) throw stale();
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
    const { batch } = write;
    itemEvents.emit('refused', { change: input, key: finalKey(input.key), problem, kept, batch });
    return false;
  },
  settled({ id, input }) {
    graphOf(input.slug, input.project).lift(id);
  },
  common(input) {
    const bulk = bulkOf(input);
    return bulk && JSON.stringify([input.slug, input.project, bulk]);
  },
  async sendTogether(writes) {
    const [{ input }] = writes as [Write<ItemChange>];
    const graph = graphOf(input.slug, input.project);
    const problems = new Map<string, ProblemError>();
    const items: { key: string; version: number }[] = [];
    for (const { input } of writes) {
      const key = finalKey(input.key);
      if (isOvertaken(input, graph.baseOf(key))) problems.set(key, stale());
      else items.push({ key, version: versionToSend(input, graph.baseOf(key)) });
    }
    const results = items.length > 0 ? await requestAll(input, items) : [];
    graph.together(() => {
      for (const { key, item, problem } of results) {
        if (problem) problems.set(key, new ProblemError(problem));
        if (item) graph.confirm({ ...item, body: '' });
      }
      for (const { id, input } of writes) if (!problems.has(finalKey(input.key))) graph.lift(id);
    });
    for (const { item } of results) if (item) itemEvents.emit('saved', { slug: input.slug, card: item });
    return writes.map(({ input }) => problems.get(finalKey(input.key)));
  },
});

/** Changes items at once. What is the same change of several of a project is sent in one request. */
export function changeItems(changes: readonly ItemChange[]): void {
  if (changes.length === 0) return;
  const graphs = new Set(changes.map(({ slug, project }) => graphOf(slug, project)));
  const change = () =>
    changeItem.all(changes.map((input) => ({ lane: `${input.slug}/${input.key}`, input })));
  [...graphs].reduce((inner, graph) => () => graph.together(inner), change)();
}

/** The change that takes one back, as it can be kept until then. */
export function inverse(change: ItemChange, request: ItemChange['request']): ItemChange {
  const { show, before } = change;
  const names = Object.keys(show) as (keyof Card)[];
  // Nothing is kept of a field that is undefined.
  const back = Object.fromEntries(names.map((name) => [name, before[name] ?? null]));
  return { ...change, show: back, before: show, request };
}

/** Sets items back as the inverses of their changes say, over whatever was set since. */
export function takeBack(inverses: readonly ItemChange[]): void {
  changeItems(
    inverses.flatMap((change) => {
      const graph = graphOf(change.slug, change.project);
      const now = graph.card(finalKey(change.key));
      if (!now) return graph.loaded ? [] : [change];
      const names = Object.keys(change.show) as (keyof Card)[];
      const before = Object.fromEntries(names.map((name) => [name, now[name]]));
      // A title that somebody wrote since is contested, not overwritten.
      const { title } = change.before;
      return {
        ...change,
        version: now.version,
        before: { ...before, ...(title !== undefined && { title }) },
        own: change.before,
      };
    }),
  );
}

export const createItem = writeKind<ItemCreation>('item.create', {
  show({ id, input, at }) {
    const { temporary: key, card: creates } = input;
    graphOf(input.slug, input.project).lay({ id, at, key, fields: {}, creates });
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
    const { returnCreation } = await insist(() => import('../creation'));
    await returnCreation(input.slug, input.project, input.body);
    itemEvents.emit('uncreated', { creation: input, problem, at });
    return false;
  },
  settled({ id, input }) {
    graphOf(input.slug, input.project).lift(id);
  },
});

/** The version to send a change under. A description is in no card, so only the version that it was read with counts. */
function versionToSend(input: ItemChange, base: Card | undefined): number {
  return !base || 'body' in input.show ? input.version : base.version;
}

/**
 * Whether the stream told since what somebody else set in the same field. It is not overwritten under the newer version
 * then, but settled as a stale one.
 */
function isOvertaken(input: ItemChange, base: Card | undefined): boolean {
  return base !== undefined && !('body' in input.show) && contestedFields(input, base).length > 0;
}

/** A place is relative to its neighbours: two people who place a card do not contradict each other, the later counts. */
function contestedFields(input: ItemChange, now: Card): (keyof Card)[] {
  const { show, before, own = before } = input;
  return contested<Card>(show, before, now).filter(
    (field) => field !== 'rank' && !same(now[field], own[field]),
  );
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

type Bulk = Pick<BulkChange, 'change' | 'state'>;

/** A change as many items can be asked for it at once; nothing for texts and places, which are of one item. */
function bulkOf({ request }: ItemChange): Bulk | undefined {
  if ('update' in request) {
    const { title, body, ...change } = request.update;
    return title === undefined && body === undefined ? { change } : undefined;
  }
  const { state, ...more } = request.move;
  return state !== undefined && Object.keys(more).length === 0 ? { state } : undefined;
}

async function requestAll(input: ItemChange, items: BulkChange['items']): Promise<BulkResult['results']> {
  const params = { path: { slug: input.slug, key: input.project } };
  const body = { items, ...bulkOf(input) };
  const { results } = await data(
    http.POST('/api/v1/orgs/{slug}/projects/{key}/items/bulk', { params, body }),
  );
  return results;
}

function read(input: ItemChange, key: string): Promise<RenderedItem> {
  return data(http.GET('/api/v1/orgs/{slug}/items/{key}', { params: { path: { slug: input.slug, key } } }));
}

/** Decides what becomes of a change that somebody was faster than. True sends it again. */
async function reconcile({ id, input, batch }: Write<ItemChange>): Promise<boolean> {
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
  itemEvents.emit('contested', { write: input, fields: fields.map(String), now, batch });
  return false;
}

async function mergeBody(input: ItemChange, theirs: string, version: number): Promise<boolean> {
  const { mergeText } = await insist(() => import('@/lib/merge'));
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
