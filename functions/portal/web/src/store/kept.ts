/**
 * Keeps a project in this browser, and puts it back.
 *
 * The cards are kept as one text, written after they were loaded; from then on only what changed since is written
 * beside it, because writing thousands of cards takes longer than a frame. Both name the snapshot that they belong to:
 * two tabs may write in any order, and changes of another snapshot are left out. The cursor of what is left over says
 * what is missing then.
 */
import { whenIdle } from '@/lib/idle';
import { readLocal, writeLocal } from '@/lib/local';
import { drop, keep, recall } from './database';
import type { Card } from './feed';
import type { ProjectGraph } from './graph';

/** With more changes than this a new snapshot is written. */
const MOST = 300;
/** So many cards are turned into text at once. */
const SLICE = 400;

/** The snapshot that this tab's changes are counted from. */
const snapshots = new WeakMap<ProjectGraph, string>();
const idOf = ({ slug, project }: ProjectGraph) => `${slug}/${project}`;

/** Puts a project back as it was kept. Does nothing where nothing was, or where something newer is there. */
export async function recallProject(graph: ProjectGraph): Promise<void> {
  const id = idOf(graph);
  const [kept, since] = await Promise.all([recall('projects', id), recall('changes', id)]);
  if (!kept || graph.loaded) return;
  const { snapshot, cursor, missing } = kept;
  const cards = read(kept.cards);
  if (!cards) return;
  graph.replace({ cards, cursor, missing });
  snapshots.set(graph, snapshot);
  if (since?.snapshot === snapshot) graph.apply({ ...since, reload: false });
}

/** Keeps a project as the service has it. */
export async function keepProject(graph: ProjectGraph): Promise<void> {
  const snapshot = snapshots.get(graph);
  if (snapshot === undefined || graph.changedSince > MOST) await keepWhole(graph);
  else
    await keep('changes', { id: idOf(graph), snapshot, cursor: graph.cursor ?? '', ...graph.storedSince() });
}

/** A snapshot replaced everything: what was kept of the project is to be written anew. */
export function keepAnew(graph: ProjectGraph): void {
  snapshots.delete(graph);
}

export async function dropProject(graph: ProjectGraph): Promise<void> {
  tellKept(idOf(graph), false);
  await Promise.all([drop('projects', idOf(graph)), drop('changes', idOf(graph))]);
}

function read(text: string): Card[] | undefined {
  try {
    return JSON.parse(text) as Card[];
  } catch {
    return undefined;
  }
}

/** Turns the cards into text piece by piece, each when the browser has nothing else to do. */
async function keepWhole(graph: ProjectGraph): Promise<void> {
  const { cursor, missing } = graph;
  const cards = graph.stored();
  graph.forgetSince();
  const snapshot = crypto.randomUUID();
  snapshots.set(graph, snapshot);
  const pieces: string[] = [];
  for (let from = 0; from < cards.length; from += SLICE) {
    await whenIdle();
    pieces.push(JSON.stringify(cards.slice(from, from + SLICE)).slice(1, -1));
  }
  await keep('projects', {
    id: idOf(graph),
    snapshot,
    cards: `[${pieces.join(',')}]`,
    cursor: cursor ?? '',
    missing,
  });
  tellKept(idOf(graph), true);
}

/** Notes for the next start which projects need not be loaded whole (`public/before.js`). */
function tellKept(id: string, kept: boolean): void {
  const others = readLocal<string[]>('kept', []).filter((other) => other !== id);
  writeLocal('kept', kept ? [...others, id] : others);
}
