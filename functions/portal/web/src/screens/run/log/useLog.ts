/** A run's log as the page holds it: lines that grow, and what is found in them. */
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ProblemError } from '@/api/problem';
import { workerAddress } from '@/lib/trusted';
import type { Line, Query } from './lines';
import type { FromWorker, ToWorker } from './worker';
import worker from './worker?worker&url';

interface LogState {
  lines: readonly Line[];
  /** Raised with every change: the array of lines is the same one that grows. */
  version: number;
  /** Everything that there is was read once. */
  caughtUp: boolean;
  truncated: boolean;
  /** How many lines the run wrote, also where they were removed since. */
  written: number;
  error: ProblemError | undefined;
  /** Numbers of the lines that hold what is looked for. */
  found: readonly number[];
  /** Why the expression is none. */
  wrong: string | undefined;
}

const EMPTY: LogState = {
  lines: [],
  version: 0,
  caughtUp: false,
  truncated: false,
  written: 0,
  error: undefined,
  found: [],
  wrong: undefined,
};

/** One open log. Lives outside React, because lines come many times a second. */
class OpenLog {
  state: LogState = EMPTY;
  #lines: Line[] = [];
  /** The last lines, shown until all before them are there. */
  #end: Line[] | undefined;
  #found: number[] = [];
  #number = 0;
  #worker: Worker;
  #listeners = new Set<() => void>();
  #drawing = 0;

  constructor(slug: string, id: string, live: boolean) {
    this.#worker = new Worker(workerAddress(worker), { type: 'module', name: 'log' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#hear(data));
    this.tell({ do: 'open', slug, id, live });
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  tell(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  search(query: Query): void {
    this.#found = [];
    this.tell({ do: 'search', query, number: ++this.#number });
  }

  close(): void {
    cancelAnimationFrame(this.#drawing);
    this.#worker.terminate();
  }

  #hear(message: FromWorker): void {
    if (message.told === 'end') {
      this.#end = message.lines;
      this.#change({ truncated: message.truncated, error: undefined });
    } else if (message.told === 'lines') {
      for (const line of message.lines) this.#lines.push(line);
      const { truncated, written } = message;
      this.#change(this.#end ? { written } : { truncated, written, error: undefined });
    } else if (message.told === 'caught-up') {
      this.#end = undefined;
      this.#change({ caughtUp: true, error: undefined });
    } else if (message.told === 'failed') {
      this.#change({ error: new ProblemError(message.problem, message.retryAfter) });
    } else if (message.number === this.#number) {
      for (const seq of message.seqs) this.#found.push(seq);
      this.#change({ found: [...this.#found], wrong: message.wrong });
    }
  }

  /** Remembers at once, draws at most once a frame. */
  #change(change: Partial<LogState>): void {
    this.state = {
      ...this.state,
      ...change,
      lines: this.#end ?? this.#lines,
      version: this.state.version + 1,
    };
    if (this.#drawing) return;
    this.#drawing = requestAnimationFrame(() => {
      this.#drawing = 0;
      for (const listener of this.#listeners) listener();
    });
  }
}

const nothing = () => () => {};

/** Opens a log while the component is there. */
export function useLog(slug: string, id: string, live: boolean) {
  const [log, setLog] = useState<OpenLog>();
  const first = useRef(live);
  first.current = live;
  useEffect(() => {
    const opened = new OpenLog(slug, id, first.current);
    setLog(opened);
    return () => opened.close();
  }, [slug, id]);
  useEffect(() => log?.tell({ do: 'live', live }), [log, live]);
  const state = useSyncExternalStore(log?.subscribe ?? nothing, () => log?.state ?? EMPTY);
  const search = useCallback((query: Query) => log?.search(query), [log]);
  const retry = useCallback(() => log?.tell({ do: 'retry' }), [log]);
  return { ...state, search, retry };
}
