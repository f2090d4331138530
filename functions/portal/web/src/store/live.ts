/**
 * Projects that are open: their graphs, kept from IndexedDB to the stream.
 *
 * Opening: paint what is kept, then ask for the changes since its cursor; with nothing kept, or when too much
 * happened, load the board. From then on the organization's stream brings what changes.
 */
import { isOffline, isProblem } from '@/api/problem';
import { projectRunsQuery } from '@/data/runs';
import { type Board, deltaOf, loadBoard, loadChanges } from './feed';
import { ProjectGraph } from './graph';
import { dropProject, keepAnew, keepProject, recallProject } from './kept';
import { follow, heard, tell } from './organization';
import { queries } from './queries';

const SAVE_AFTER = 1_500;

interface Open {
  graph: ProjectGraph;
  users: number;
  /** Puts back what is kept. */
  recalled: Promise<void> | undefined;
  ready: Promise<void>;
  /** The board that is on its way; nothing comes of it where changes alone were enough. */
  board: Promise<Board | undefined>;
  /** What catches up after that. */
  catching?: Promise<unknown>;
  /** What the stream told while an answer is on its way. */
  heard?: Heard[] | undefined;
  stop: (() => void) | undefined;
  saving: ReturnType<typeof setTimeout> | undefined;
}

type Heard = ReturnType<typeof deltaOf>;

const NO_BOARD: Promise<Board | undefined> = Promise.resolve(undefined);

const opened = new Map<string, Open>();

/** The graph of a project, made when it is first asked for. */
export function graphOf(slug: string, project: string): ProjectGraph {
  return entry(slug, project).graph;
}

/** Puts back what is kept of a project before its page is drawn, so that the first frame shows it. */
export function recallAhead(slug: string, project: string): Promise<void> {
  return recalled(entry(slug, project));
}

function recalled(open: Open): Promise<void> {
  open.recalled ??= recallProject(open.graph);
  return open.recalled;
}

/** Loads a project and keeps it live until the answered function is called. */
export function open(slug: string, project: string): { ready: Promise<void>; close: () => void } {
  const open = entry(slug, project);
  open.users++;
  open.ready = open.users === 1 ? start(open) : open.ready;
  return {
    ready: open.ready,
    close: () => {
      open.users--;
      if (open.users === 0) open.stop?.();
    },
  };
}

/** Loads a project anew after it could not be loaded. */
export function reopen(slug: string, project: string): Promise<void> {
  const open = entry(slug, project);
  open.ready = start(open);
  return open.ready;
}

/** Forgets every project: at sign-out. */
export function forgetProjects(): void {
  for (const open of opened.values()) {
    open.stop?.();
    clearTimeout(open.saving);
  }
  opened.clear();
}

function entry(slug: string, project: string): Open {
  const id = `${slug}/${project}`;
  let open = opened.get(id);
  if (!open) {
    const graph = new ProjectGraph(slug, project);
    open = {
      graph,
      users: 0,
      recalled: undefined,
      ready: Promise.resolve(),
      board: NO_BOARD,
      stop: undefined,
      saving: undefined,
    };
    opened.set(id, open);
  }
  return open;
}

/** The board of a project, which brings more than its cards; nothing where none is on its way. */
export async function comingBoard(slug: string, project: string): Promise<Board | undefined> {
  return opened.get(`${slug}/${project}`)?.board.catch(() => undefined);
}

async function start(open: Open): Promise<void> {
  const { graph } = open;
  listen(open);
  try {
    const board = recalled(open).then(() => catchUp(open));
    // Only what is asked for meanwhile is answered from it: later it is old.
    open.board = board.finally(() => {
      open.board = NO_BOARD;
    });
    await open.board;
  } catch (error) {
    if (isProblem(error, 'not-found', 'forbidden', 'deleted')) {
      await dropProject(graph);
      throw error;
    }
    if (!graph.loaded) throw error;
    if (isOffline(error)) tell('offline');
  }
}

/**
 * Brings a graph up to date: by what changed since its cursor, or by the whole board. What is heard meanwhile is put
 * over the answer: of a card that both bring, the newer version stands.
 */
async function catchUp(open: Open): Promise<Board | undefined> {
  open.heard ??= [];
  const held = open.heard;
  try {
    return await load(open);
  } finally {
    open.heard = undefined;
    for (const delta of held) open.graph.apply(delta);
    save(open);
  }
}

async function load({ graph }: Open): Promise<Board | undefined> {
  if (graph.loaded && graph.cursor !== undefined) {
    const delta = await loadChanges(graph.slug, graph.project, graph.cursor);
    if (!delta.reload) {
      graph.apply(delta);
      return undefined;
    }
  }
  const board = await loadBoard(graph.slug, graph.project);
  queries.setQueryData(projectRunsQuery(graph.slug, graph.project).queryKey, board.runs);
  queries.setQueryData(['can', graph.slug, graph.project], board.can);
  graph.replace(board);
  keepAnew(graph);
  return board;
}

function listen(open: Open): void {
  open.stop?.();
  const { graph } = open;
  const unfollow = follow(graph.slug);
  const changes = heard.on('changes', ({ slug, changes }) => {
    if (slug !== graph.slug) return;
    const delta = deltaOf(changes, graph.project);
    if (delta.cards.length === 0 && delta.removed.length === 0) return;
    if (open.heard) open.heard.push(delta);
    else {
      graph.apply(delta);
      save(open);
    }
  });
  const gap = heard.on('gap', ({ slug }) => {
    if (slug === graph.slug) again(open);
  });
  open.stop = () => {
    changes();
    gap();
    unfollow();
    open.stop = undefined;
  };
}

/** Catches up once more, after what is on its way. */
function again(open: Open): void {
  const before = open.catching ?? open.board;
  const next = before.then(() => catchUp(open)).catch(() => undefined);
  open.catching = next;
}

function save(open: Open): void {
  if (open.saving !== undefined) return;
  open.saving = setTimeout(() => {
    open.saving = undefined;
    void keepProject(open.graph);
  }, SAVE_AFTER);
}
