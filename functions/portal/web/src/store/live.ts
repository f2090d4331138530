/**
 * Projects that are open: their graphs, kept from IndexedDB to the stream.
 *
 * Opening: paint what is kept, then ask for the changes since its cursor; with nothing kept, or when too much
 * happened, load the board. Then follow the stream. A page hidden for five minutes lets the stream go and catches
 * up when it is looked at again.
 */
import { isOffline, isProblem } from '@/api/problem';
import type { Changes, Workflow } from '@/api/types';
import { emitter } from '@/lib/emitter';
import { drop, keep, recall } from './database';
import { type Board, deltaOf, loadBoard, loadChanges, streamAddress } from './feed';
import { ProjectGraph } from './graph';
import type { Told } from './hub/engine';
import { theHub } from './hub/hub';

export type Connection = 'live' | 'connecting' | 'offline';

/** Tells how the streams are doing. */
export const connection = emitter<{ changed: Connection }>();

const HIDDEN = 5 * 60_000;
const SAVE_AFTER = 1_500;

interface Open {
  graph: ProjectGraph;
  users: number;
  ready: Promise<void>;
  /** The board that is on its way; nothing comes of it where changes alone were enough. */
  board: Promise<Board | undefined>;
  stop: (() => void) | undefined;
  saving: ReturnType<typeof setTimeout> | undefined;
}

const NO_BOARD = Promise.resolve(undefined);

const opened = new Map<string, Open>();
let state: Connection = 'connecting';

export function connectionState(): Connection {
  return state;
}

/** The graph of a project, made when it is first asked for. */
export function graphOf(slug: string, project: string): ProjectGraph {
  return entry(slug, project).graph;
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
    open = { graph, users: 0, ready: Promise.resolve(), board: NO_BOARD, stop: undefined, saving: undefined };
    opened.set(id, open);
  }
  return open;
}

/** The workflow that a project's board brings along; nothing where no board is on its way. */
export async function comingWorkflow(slug: string, project: string): Promise<Workflow | undefined> {
  return (await opened.get(`${slug}/${project}`)?.board.catch(() => undefined))?.workflow;
}

async function start(open: Open): Promise<void> {
  const { graph } = open;
  try {
    open.board = recallKept(graph).then(() => catchUp(open));
    await open.board;
  } catch (error) {
    if (isProblem(error, 'not-found', 'forbidden')) {
      await drop('projects', idOf(graph));
      throw error;
    }
    if (!graph.loaded) throw error;
    if (isOffline(error)) tell('offline');
  }
  follow(open);
}

async function recallKept(graph: ProjectGraph): Promise<void> {
  if (graph.loaded) return;
  const kept = await recall('projects', idOf(graph));
  if (kept && !graph.loaded) graph.replace(kept);
}

/** Brings a graph up to date: by what changed since its cursor, or by the whole board. */
async function catchUp(open: Open): Promise<Board | undefined> {
  const { graph } = open;
  if (graph.loaded && graph.cursor !== undefined) {
    const delta = await loadChanges(graph.slug, graph.project, graph.cursor);
    if (!delta.reload) {
      graph.apply(delta);
      save(open);
      return undefined;
    }
  }
  const board = await loadBoard(graph.slug, graph.project);
  graph.replace(board);
  save(open);
  return board;
}

function follow(open: Open): void {
  open.stop?.();
  const { graph } = open;
  let unlisten: (() => void) | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    unlisten?.();
    const url = streamAddress(graph.slug, graph.project, undefined);
    unlisten = theHub().listen({ topic: idOf(graph), url, after: graph.cursor }, (told) => hear(open, told));
  };
  const rest = () => {
    unlisten?.();
    unlisten = undefined;
  };
  const look = () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(rest, HIDDEN);
    else if (!unlisten) void catchUp(open).then(listen, listen);
  };
  document.addEventListener('visibilitychange', look);
  listen();
  open.stop = () => {
    clearTimeout(hiding);
    unlisten?.();
    document.removeEventListener('visibilitychange', look);
    open.stop = undefined;
  };
}

function hear(open: Open, told: Told): void {
  if (told.kind === 'open') {
    tell('live');
    // Another tab's stream may be ahead of this tab.
    if (told.after !== open.graph.cursor) void catchUp(open).catch(() => {});
    return;
  }
  if (told.kind === 'lost') {
    tell(told.status === 0 ? 'offline' : 'connecting');
    return;
  }
  const delta = deltaOf(told.data as Changes);
  tell('live');
  if (delta.reload) {
    void catchUp(open).catch(() => {});
    return;
  }
  open.graph.apply(delta);
  save(open);
}

function save(open: Open): void {
  if (open.saving !== undefined) return;
  open.saving = setTimeout(() => {
    open.saving = undefined;
    const { graph } = open;
    void keep('projects', {
      id: idOf(graph),
      cards: graph.stored(),
      cursor: graph.cursor ?? '',
      missing: graph.missing,
    });
  }, SAVE_AFTER);
}

function tell(next: Connection): void {
  if (next === state) return;
  state = next;
  connection.emit('changed', next);
}

function idOf(graph: ProjectGraph): string {
  return `${graph.slug}/${graph.project}`;
}
