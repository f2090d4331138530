/**
 * Streams of server-sent events: one connection a project, whoever asks for it. Runs in a shared worker, or in the
 * tab that leads where there is none.
 *
 * Read with `fetch`: `EventSource` tells neither the status of a refusal nor that heartbeats arrive. A stream that is
 * silent for 40 s is taken for dead; a failed one is tried again after 1 to 30 s.
 */
import { createParser } from 'eventsource-parser';
import { isNoPlace } from './no-place';

export interface Subscription {
  /** Names the stream; whoever asks for the same name shares it. */
  topic: string;
  /** Address without the position. */
  url: string;
  after: string | undefined;
}

export type Told =
  | { topic: string; kind: 'event'; name: string; id: string; data: unknown }
  | { topic: string; kind: 'open'; after: string | undefined }
  | { topic: string; kind: 'lost'; status: number };

const SILENCE = 40_000;
const SHORTEST = 1_000;
const LONGEST = 30_000;

interface Stream {
  url: string;
  after: string | undefined;
  listeners: Set<(told: Told) => void>;
  stop: AbortController;
  failures: number;
  opened: boolean;
}

export class Engine {
  #streams = new Map<string, Stream>();

  /** Listens to a stream. The first listener opens it, the last that goes closes it. */
  listen({ topic, url, after }: Subscription, listener: (told: Told) => void): () => void {
    let stream = this.#streams.get(topic);
    if (!stream) {
      stream = { url, after, listeners: new Set(), stop: new AbortController(), failures: 0, opened: false };
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
      const status = await this.#read(topic, stream).catch(() => 0);
      if (stream.stop.signal.aborted) return;
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
    try {
      const response = await fetch(stream.url, {
        headers,
        signal,
        credentials: 'same-origin',
        cache: 'no-store',
      });
      if (!response.ok || !response.body) return response.status;
      stream.opened = true;
      tell(stream, { topic, kind: 'open', after: stream.after });
      const parser = createParser({ onEvent: (event) => this.#event(topic, stream, event) });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => silence.abort(), SILENCE);
        parser.feed(part.value);
      }
      return 0;
    } finally {
      clearTimeout(watchdog);
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

function tell(stream: Stream, told: Told): void {
  for (const listener of [...stream.listeners]) listener(told);
}

function backoff(failures: number): number {
  return Math.min(LONGEST, SHORTEST * 2 ** failures) * (0.5 + Math.random() / 2);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
