/**
 * The seam between the store and the API's live part. Everything that the store knows of how a project's cards are
 * loaded and followed is in this file.
 *
 * A project's board comes in one answer: its cards, its workflow, and the cursor from which its changes are followed.
 */
import { data, http } from '@/api/client';
import type { Changes, Item, Workflow } from '@/api/types';

/** An item as lists hold it: everything but its description. `rank` orders the cards of a column. */
export type Card = Omit<Item, 'rank'> & { rank?: string };

export interface Snapshot {
  cards: Card[];
  cursor: string | undefined;
  /** How many items of a very large project are not among the cards. */
  missing?: number;
}

export interface Board extends Snapshot {
  workflow: Workflow;
}

export interface Delta {
  cursor: string;
  cards: Card[];
  removed: string[];
  /** Too much happened since: load everything anew. */
  reload: boolean;
}

/** Everything of a project, and the cursor from which changes are to be followed. */
export async function loadBoard(slug: string, project: string): Promise<Board> {
  const params = { path: { slug, key: project } };
  const board = await data(http.GET('/api/v1/orgs/{slug}/projects/{key}/board', { params }));
  const { items, cursor, workflow, itemCount } = board;
  return { cards: items, cursor, workflow, missing: Math.max(0, itemCount - items.length) };
}

/** What changed since a cursor. */
export async function loadChanges(slug: string, project: string, after: string): Promise<Delta> {
  const params = { path: { slug, key: project }, query: { after } };
  return deltaOf(await data(http.GET('/api/v1/orgs/{slug}/projects/{key}/changes', { params })));
}

/** Address of the stream that tells what changes in a project. */
export function streamAddress(slug: string, project: string, after: string | undefined): string {
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
  return `/api/v1/orgs/${encodeURIComponent(slug)}/projects/${encodeURIComponent(project)}/changes/stream${query}`;
}

export function deltaOf(changes: Changes): Delta {
  return { cursor: changes.cursor, cards: changes.items, removed: changes.removed, reload: changes.reload };
}
