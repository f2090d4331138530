/**
 * What becomes of a change of an item that the service did not take: it is sent again, merged, asked about or given back.
 * Loaded when that happens, or when the page is quiet.
 */
import { data, http } from '@/api/client';
import { isProblem, type ProblemError } from '@/api/problem';
import type { RenderedItem } from '@/api/types';
import { mergeText } from '@/lib/merge';
import { draftOf, returnDraft } from '../drafts';
import type { Card } from '../feed';
import { graphOf } from '../live';
import type { Write } from '../write';
import { contestedFields, finalKey, type ItemChange, itemEvents } from './item-changes';

/** Answers a refusal. True sends the change again. */
export async function refuse(write: Write<ItemChange>, problem: ProblemError): Promise<boolean> {
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
}

/** Makes drafts again of the texts in a refused change. */
async function keepTexts({ slug, key, show, before }: ItemChange): Promise<boolean> {
  const { title, body } = show;
  if (title !== undefined) await returnDraft(draftOf.title(slug, finalKey(key)), title);
  if (body !== undefined) await returnDraft(draftOf.body(slug, finalKey(key)), body, before.body);
  return title !== undefined || body !== undefined;
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
