/**
 * Loads and follows a log beside the page: asks for its end, which is what people look at first, then for all of it
 * from the beginning, reads it into lines, and searches them.
 *
 * A live log is asked for every two seconds; when nothing comes, less often, up to every six.
 */
import { data, http } from '@/api/client';
import { problemOf } from '@/api/problem';
import type { Problem } from '@/api/types';
import { expression, type Line, LineReader, type Query, search } from './lines';

/** What the page tells the worker. */
export type ToWorker =
  | { do: 'open'; slug: string; id: string; live: boolean }
  | { do: 'live'; live: boolean }
  | { do: 'retry' }
  | { do: 'search'; query: Query; number: number };

/** What the worker tells the page. */
export type FromWorker =
  | { told: 'end'; lines: Line[]; truncated: boolean }
  | { told: 'lines'; lines: Line[]; truncated: boolean; written: number }
  | { told: 'caught-up' }
  | { told: 'failed'; problem: Problem; retryAfter: number | undefined }
  | { told: 'found'; number: number; seqs: Uint32Array; wrong: string | undefined };

const QUICK = 2_000;
const SLOW = 6_000;
/** So many lines are the end of a log. */
const END = 1_000;

const lines: Line[] = [];
const reader = new LineReader();
let address = { slug: '', id: '' };
let live = false;
let after: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let wait = QUICK;
let searching: { found: RegExp; number: number } | undefined;

self.addEventListener('message', ({ data: message }: MessageEvent<ToWorker>) => {
  switch (message.do) {
    case 'open':
      address = { slug: message.slug, id: message.id };
      live = message.live;
      void load();
      break;
    case 'live':
      live = message.live;
      void load();
      break;
    case 'retry':
      void load();
      break;
    case 'search':
      find(message.query, message.number);
      break;
  }
});

let loading = false;

/** Reads on from where it is until there is no more, then waits if the run lives. */
async function load(): Promise<void> {
  if (loading) return;
  loading = true;
  clearTimeout(timer);
  try {
    if (after === undefined) await showEnd();
    let came = 0;
    for (let more = true; more; ) {
      const query = after === undefined ? {} : { after };
      const page = await data(
        http.GET('/api/v1/orgs/{slug}/runs/{id}/log', { params: { path: address, query } }),
      );
      after = page.nextAfter;
      more = page.entries.length > 0;
      came += page.entries.length;
      take(reader.read(page.entries), page);
    }
    tell({ told: 'caught-up' });
    wait = came > 0 ? QUICK : Math.min(SLOW, wait * 1.5);
    if (live) timer = setTimeout(() => void load(), wait);
  } catch (error) {
    const retryAfter = (error as { retryAfter?: number }).retryAfter;
    tell({ told: 'failed', problem: problemOf(error), retryAfter });
    if (live) timer = setTimeout(() => void load(), Math.max(SLOW, (retryAfter ?? 0) * 1000));
  } finally {
    loading = false;
  }
}

/** Shows the last lines of a long log at once. A short one is wholly among them. */
async function showEnd(): Promise<void> {
  const page = await data(
    http.GET('/api/v1/orgs/{slug}/runs/{id}/log', { params: { path: address, query: { tail: END } } }),
  );
  if ((page.entries[0]?.seq ?? 0) > 1) {
    tell({ told: 'end', lines: new LineReader().read(page.entries), truncated: page.truncated });
  } else {
    after = page.nextAfter;
    take(reader.read(page.entries), page);
  }
}

function take(more: Line[], { truncated, lastSeq: written }: { truncated: boolean; lastSeq: number }): void {
  const from = lines.length;
  for (const line of more) lines.push(line);
  tell({ told: 'lines', lines: more, truncated, written });
  if (searching && more.length > 0) report(searching.number, search(lines, searching.found, from));
}

function find(query: Query, number: number): void {
  const found = expression(query);
  searching = found instanceof RegExp ? { found, number } : undefined;
  if (searching) report(number, search(lines, searching.found));
  else report(number, [], typeof found === 'string' ? found : undefined);
}

function report(number: number, found: number[], wrong?: string): void {
  const seqs = Uint32Array.from(found);
  tell({ told: 'found', number, seqs, wrong }, [seqs.buffer]);
}

function tell(message: FromWorker, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer });
}
