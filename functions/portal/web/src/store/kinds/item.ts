/**
 * Writes of items: creating one, changing fields, moving to a state or a place.
 *
 * Each is laid over the graph at once. When the service holds another version than the one that the change was made
 * on, the item is read again: fields that nobody else changed are sent again, a description is merged by line, and a
 * field that both changed becomes a question, with the other's value standing until it is answered.
 */

import { data, http } from '@/api/client';
import { ProblemError } from '@/api/problem';
import type { BulkChange, BulkResult } from '@/api/types';
import { insist } from '@/lib/parts';
import type { Card } from '../feed';
import { graphOf } from '../live';
import { writeKind } from '../outbox';
import type { Write } from '../write';
import {
  contestedFields,
  finalKey,
  giveKey,
  type ItemChange,
  type ItemCreation,
  itemEvents,
} from './item-changes';

export { finalKey, type ItemChange, type ItemCreation, itemEvents } from './item-changes';

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
    const { refuse } = await insist(() => import('./item-refused'));
    return refuse(write, problem);
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
    giveKey(input.temporary, card.key);
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
