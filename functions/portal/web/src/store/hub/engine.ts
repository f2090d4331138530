/**
 * Streams of server-sent events: one connection a project, whoever asks for it. Runs in a shared worker, or in the
 * tab that leads where there is none.
 *
 * Read with `fetch`: `EventSource` tells neither the status of a refusal nor that heartbeats arrive. A stream that is
 * silent for 40 s is taken for dead; a failed one is tried again after 1 to 30 s. While something between holds a stream
 * back, such as a proxy that collects what it passes on, changes are asked for instead; where they are not answered either,
 * the service is taken for away until the stream shows something. Where the service holds nothing
 * open, it says when to ask again (`retry`) and ends the stream after an event: such a stream counts as open all the time.
 */
import { createParser } from 'eventsource-parser';
import { isNoPlace } from './no-place';

export interface Subscription {
  /** Names the stream; whoever asks for the same name shares it. */
  topic: string;
  /** Address without the position. */
  url: string;
  after: string | undefined;
  /** Address that answers what the stream would have told since a position. */
  poll?: string | undefined;
}

export type Told =
  | { topic: string; kind: 'event'; name: string; id: string; data: unknown }
  | { topic: string; kind: 'open'; after: string | undefined }
  | { topic: string; kind: 'lost'; status: number };

const SILENCE = 40_000;
/** From then on a stream that shows nothing is held back: no status, or no heartbeat. */
const QUIET = { status: 5_000, beat: 17_000 };
/** How often changes are asked for then. */
const BETWEEN = 5_000;
/** A service that answers nothing for so long is away. */
const UNANSWERED = 5_000;
const SHORTEST = 1_000;
const LONGEST = 30_000;

interface Stream {
  url: string;
  poll: string | undefined;
  after: string | undefined;
  /** When it counts as held back, unless something comes. */
  quietAt: number;
  /** When changes were asked for and got last. */
  polledAt: number;
  listeners: Set<(told: Told) => void>;
  stop: AbortController;
  failures: number;
  opened: boolean;
  /** Milliseconds after which the service wants to be asked again, where its streams are short. */
  retry: number | undefined;
}

export class Engine {
  #streams = new Map<string, Stream>();

  /** Listens to a stream. The first listener opens it, the last that goes closes it. */
  listen({ topic, url, poll, after }: Subscription, listener: (told: Told) => void): () => void {
    let stream = this.#streams.get(topic);
    if (!stream) {
      stream = {
        url,
        poll,
        after,
        quietAt: 0,
        polledAt: Number.NEGATIVE_INFINITY,
        listeners: new Set(),
        stop: new AbortController(),
        failures: 0,
        opened: false,
        retry: undefined,
      };
      this.#streams.set(topic, stream);
      void this.#run(topic, stream);
    } else if (stream.opened) {
      // Who joins learns where the stream is, and catches up with it.
      listener({ topic, kind: 'open', after: stream.after });
    }
    stream.listeners.add(listener);
    const joined = stream;
    return () => {
      joined.listeners.delete(listener);
      if (joined.listeners.size > 0 || this.#streams.get(topic) !== joined) return;
      this.#streams.delete(topic);
      joined.stop.abort();
    };
  }

  async #run(topic: string, stream: Stream): Promise<void> {
    while (!stream.stop.signal.aborted) {
      stream.retry = undefined;
      const ended = await this.#read(topic, stream).catch(() => undefined);
      if (stream.stop.signal.aborted) return;
      if (ended === 0 && stream.retry !== undefined) {
        await pause(stream.retry, stream.stop.signal);
        continue;
      }
      const status = ended ?? 0;
      // Silent, but not away: its changes come the other way.
      if (status === 0 && Date.now() - stream.polledAt < 2 * BETWEEN) {
        await pause(SHORTEST, stream.stop.signal);
        continue;
      }
      stream.opened = false;
      tell(stream, { topic, kind: 'lost', status });
      // Signed out, or no longer allowed to see it: asking again would not help.
      if (status === 401 || status === 403 || status === 404) {
        this.#streams.delete(topic);
        return;
      }
      if (isNoPlace(status)) stream.after = undefined;
      await pause(backoff(stream.failures++), stream.stop.signal);
    }
  }

  /** Reads one connection to its end. Answers the status that it was refused with, or 0. */
  async #read(topic: string, stream: Stream): Promise<number> {
    const silence = new AbortController();
    const signal = AbortSignal.any([stream.stop.signal, silence.signal]);
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (stream.after !== undefined) headers['last-event-id'] = stream.after;
    let watchdog = setTimeout(() => silence.abort(), SILENCE);
    stream.quietAt = Date.now() + QUIET.status;
    const ended = new AbortController();
    void this.#poll(topic, stream, AbortSignal.any([stream.stop.signal, ended.signal]));
    try {
      const response = await fetch(stream.url, {
        headers,
        signal,
        credentials: 'same-origin',
        cache: 'no-store',
      });
      if (!response.ok || !response.body) return response.status;
      stream.quietAt = Date.now() + QUIET.beat;
      const open = () => {
        if (stream.opened) return;
        stream.opened = true;
        tell(stream, { topic, kind: 'open', after: stream.after });
      };
      open();
      const parser = createParser({
        onEvent: (event) => this.#event(topic, stream, event),
        onRetry: (milliseconds) => {
          stream.retry = Math.min(Math.max(milliseconds, SHORTEST), LONGEST);
        },
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(watchdog);
        open();
        watchdog = setTimeout(() => silence.abort(), SILENCE);
        stream.quietAt = Date.now() + QUIET.beat;
        parser.feed(part.value);
      }
      return 0;
    } finally {
      clearTimeout(watchdog);
      ended.abort();
    }
  }

  /** Asks for the changes while the connection shows nothing. */
  async #poll(topic: string, stream: Stream, signal: AbortSignal): Promise<void> {
    while (stream.poll !== undefined && !signal.aborted) {
      await pause(BETWEEN, signal);
      if (signal.aborted || Date.now() < stream.quietAt || stream.after === undefined) continue;
      const changes = await readChanges(stream.poll, stream.after, signal);
      if (signal.aborted) continue;
      if (changes === 'unanswered' && stream.opened) {
        stream.opened = false;
        tell(stream, { topic, kind: 'lost', status: 0 });
      }
      if (!changes || changes === 'unanswered') continue;
      stream.polledAt = Date.now();
      if (!stream.opened) tell(stream, { topic, kind: 'open', after: stream.after });
      stream.opened = true;
      if (changes.cursor === stream.after) continue;
      stream.after = changes.cursor;
      tell(stream, { topic, kind: 'event', name: 'changes', id: changes.cursor, data: changes });
    }
  }

  #event(
    topic: string,
    stream: Stream,
    event: { id?: string | undefined; event?: string | undefined; data: string },
  ): void {
    stream.failures = 0;
    if (event.id !== undefined) stream.after = event.id;
    const name = event.event ?? 'message';
    tell(stream, { topic, kind: 'event', name, id: event.id ?? '', data: JSON.parse(event.data) });
  }
}

/** What changed since a position; nothing where that cannot be known now. */
async function readChanges(
  url: string,
  after: string,
  signal: AbortSignal,
): Promise<{ cursor: string } | 'unanswered' | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), UNANSWERED);
  try {
    const either = AbortSignal.any([signal, late.signal]);
    const options = { signal: either, credentials: 'same-origin', cache: 'no-store' } as const;
    const response = await fetch(`${url}?after=${encodeURIComponent(after)}`, options);
    return response.ok ? ((await response.json()) as { cursor: string }) : undefined;
  } catch {
    return late.signal.aborted ? 'unanswered' : undefined;
  } finally {
    clearTimeout(timer);
  }
}

function tell(stream: Stream, told: Told): void {
  for (const listener of [...stream.listeners]) listener(told);
}

function backoff(failures: number): number {
  return Math.min(LONGEST, SHORTEST * 2 ** failures) * (0.5 + Math.random() / 2);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(stop, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
