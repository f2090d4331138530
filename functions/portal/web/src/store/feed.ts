/**
 * The seam between the store and the API's live part. Everything that the store knows of how a project's cards are
 * loaded and followed is in this file.
 *
 * Today: pages of a project's items, a cursor of its changes, and one stream of server-sent events a project.
 */
import { data, http } from '@/api/client';
import type { Changes, Item } from '@/api/types';

/** An item as lists hold it: everything but its description. `rank` orders the cards of a column. */
export type Card = Item & { rank?: string };

export interface Snapshot {
  cards: Card[];
  /** Absent while more is to come. */
  cursor: string | undefined;
}

export interface Delta {
  cursor: string;
  cards: Card[];
  removed: string[];
  /** Too much happened since: load everything anew. */
  reload: boolean;
}

const PAGE = 100;
/** Pages that are asked for at the same time. */
const AT_ONCE = 4;

/**
 * Everything of a project, and the cursor from which changes are to be followed. `onFirst` gets the first page as soon
 * as it is there, so that a large project is painted before all of it has come.
 */
export async function loadSnapshot(
  slug: string,
  project: string,
  onFirst: (cards: Card[]) => void,
): Promise<Snapshot> {
  const { cursor } = await loadChanges(slug, project);
  const first = await page(slug, project, 1);
  const pages = Math.ceil(first.totalCount / PAGE);
  const cards: Card[] = [...first.items];
  if (pages > 1) onFirst(ranked(cards));
  for (let next = 2; next <= pages; next += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, pages - next + 1) }, (_, at) => next + at);
    const answers = await Promise.all(numbers.map((number) => page(slug, project, number)));
    cards.push(...answers.flatMap((answer) => answer.items));
  }
  return { cards: ranked(cards), cursor };
}

/** What changed since a cursor; without one, only where to begin. */
export async function loadChanges(slug: string, project: string, after?: string): Promise<Delta> {
  const params = { path: { slug, key: project }, query: after === undefined ? {} : { after } };
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

function page(slug: string, project: string, number: number) {
  const query = { page: number, pageSize: PAGE, sort: 'rank' };
  return data(
    http.GET('/api/v1/orgs/{slug}/projects/{key}/items', { params: { path: { slug, key: project }, query } }),
  );
}

/** Lists come in rank order without telling the ranks: the place in the list stands in for them. */
function ranked(cards: Card[]): Card[] {
  return cards.map((card, at) => ({ ...card, rank: String(at).padStart(7, '0') }));
}
