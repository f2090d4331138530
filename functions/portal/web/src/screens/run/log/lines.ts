/**
 * The lines of a log in memory, and the search over them. Pure: it knows neither the service nor the screen.
 *
 * The worker holds one of these and searches it; the page holds another that it draws from.
 */
import type { components } from '@/api/schema';
import { collapse, parseAnsi, plainLine, type Style } from './ansi';

type Entry = components['schemas']['LogEntry'];

/** One line as it is sent from the worker: a tuple, because there are a hundred thousand. */
export type Line = readonly [seq: number, at: string, stream: Stream, text: string, style?: Style];
export type Stream = 'stdout' | 'stderr' | 'event';

/** Turns entries into lines: what carriage returns wrote over is gone, colours carry on within a stream. */
export class LineReader {
  #styles = new Map<Stream, Style>();

  read(entries: readonly Entry[]): Line[] {
    return entries.map((entry) => {
      const stream = known(entry.stream);
      const text = collapse(entry.text);
      const begin = this.#styles.get(stream);
      if (stream !== 'event' && (begin || text.includes('\x1b'))) {
        const { end } = parseAnsi(text, begin);
        if (Object.keys(end).length > 0) this.#styles.set(stream, end);
        else this.#styles.delete(stream);
      }
      return begin ? [entry.seq, entry.at, stream, text, begin] : [entry.seq, entry.at, stream, text];
    });
  }
}

function known(stream: string): Stream {
  return stream === 'stderr' || stream === 'event' ? stream : 'stdout';
}

/** What to look for. */
export interface Query {
  text: string;
  regex: boolean;
}

/** The expression of a query, or the sentence that says why it is none. */
export function expression(query: Query): RegExp | string | undefined {
  if (query.text === '') return undefined;
  const source = query.regex ? query.text : query.text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  try {
    return new RegExp(source, /[A-Z]/.test(query.text) ? 'g' : 'gi');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Where an expression is found in a text. At most this many, so that `.` does not flood a line. */
export function rangesIn(text: string, found: RegExp, most = 200): [number, number][] {
  const ranges: [number, number][] = [];
  for (const match of text.matchAll(found)) {
    if (match[0].length > 0) ranges.push([match.index, match.index + match[0].length]);
    if (ranges.length >= most) break;
  }
  return ranges;
}

/** Numbers of the lines in which an expression is found. */
export function search(lines: readonly Line[], found: RegExp, from = 0): number[] {
  const hits: number[] = [];
  for (let at = from; at < lines.length; at++) {
    found.lastIndex = 0;
    const line = lines[at];
    if (line && found.test(plainLine(line[3]))) hits.push(line[0]);
  }
  return hits;
}

/** `812-820` as first and last; nothing for what is none. */
export function parseLines(text: string | undefined): [number, number] | undefined {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text ?? '');
  if (!match) return undefined;
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  return first <= last ? [first, last] : [last, first];
}

/** First and last as they stand in the address. */
export function printLines([first, last]: readonly [number, number]): string {
  return first === last ? String(first) : `${first}-${last}`;
}
