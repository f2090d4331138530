/**
 * The seam between the store and the API's live part. Everything that the store knows of how a project's cards are
 * loaded and followed is in this file.
 *
 * A project's board comes in one answer: its cards, its workflow, and the cursor from which its changes are followed.
 */
import { data, http } from '@/api/client';
import type { Can, Item, OrgChanges, Run, Workflow } from '@/api/types';
import { projectOf } from '@/lib/text';

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
  /** What the viewer may do with the cards. */
  can: Can;
  /** Live runs of the cards. */
  runs: Run[];
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
  const { items, cursor, workflow, can, runs = [], itemCount } = board;
  return { cards: items, cursor, workflow, can, runs, missing: Math.max(0, itemCount - items.length) };
}

/** What changed since a cursor. */
export async function loadChanges(slug: string, project: string, after: string): Promise<Delta> {
  const params = { path: { slug, key: project }, query: { after } };
  const path = '/api/v1/orgs/{slug}/projects/{key}/changes';
  const { cursor, items, removed, reload } = await data(http.GET(path, { params }));
  return { cursor, cards: items, removed, reload };
}

/** Where an organization's stream is now, for who wants to hear of everything that comes after. */
export async function loadPlace(slug: string): Promise<string> {
  const params = { path: { slug } };
  return (await data(http.GET('/api/v1/orgs/{slug}/changes', { params }))).cursor;
}

/** Address of the stream that tells what changes in an organization. */
export function organizationStream(slug: string): string {
  return `/api/v1/orgs/${encodeURIComponent(slug)}/stream`;
}

/** Address that answers the same at once, for who cannot be reached by a stream. */
export function organizationChanges(slug: string): string {
  return `/api/v1/orgs/${encodeURIComponent(slug)}/changes`;
}

/** What an organization's changes say of one of its projects. They do not move the project's own cursor. */
export function deltaOf(changes: OrgChanges, project: string): Omit<Delta, 'cursor'> {
  const own = (key: string) => projectOf(key) === project;
  return {
    cards: changes.items.filter(({ key }) => own(key)),
    removed: changes.removed.filter(own),
    reload: changes.reload,
  };
}
