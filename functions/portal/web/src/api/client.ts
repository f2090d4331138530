/**
 * The typed client: every request of the app goes through here.
 *
 * Adds `X-Svc-Request: 1` and the page's account to changes and an `Idempotency-Key` to creations, turns every failure into a
 * [`ProblemError`], tells the app about ended sessions and deprecations, and keeps count of requests for the tests.
 */
import { type Emitter, emitter } from '@/lib/emitter';
import { learnClock } from '@/lib/times';
import { changeHeaders } from './account';
import { askedAhead } from './ahead';
import { offline, ProblemError, readProblem } from './problem';
import type { paths } from './schema';
import { typedClient } from './typed';

/** What the client tells the rest of the app. */
export const signals: Emitter<{
  signedOut: undefined;
  /** A change was refused because the session is another account's than the page's. */
  otherAccount: undefined;
  /** What was asked for was deleted. */
  deleted: undefined;
  deprecated: { path: string; sunset: string | undefined };
  reachable: boolean;
}> = emitter();

/** The API by path and method. Wrap calls in [`data`]. */
export const http = typedClient<paths>(origin(), send);

/**
 * What a call answers. Problems were thrown by [`send`] before there was an answer to read. An answer that breaks off, as
 * when the page is left or the connection is lost, is none: nobody knows what became of what was asked.
 */
export async function data<T>(call: Promise<{ data?: T }>): Promise<T> {
  try {
    const { data } = await call;
    return data as T;
  } catch (error) {
    throw error instanceof ProblemError ? error : unreached();
  }
}

async function send(request: Request): Promise<Response> {
  if (request.method !== 'GET') {
    for (const [name, value] of Object.entries(changeHeaders())) request.headers.set(name, value);
  }
  if (request.method === 'POST' && !request.headers.has('Idempotency-Key')) {
    request.headers.set('Idempotency-Key', crypto.randomUUID());
  }
  const response = await answerTo(request);
  signals.emit('reachable', true);
  learnClock(response.headers.get('date'));
  noteDeprecation(response);
  if (response.ok) return response;
  const problem = await readProblem(response);
  if (problem.kind === 'unauthenticated' && !request.url.includes('/auth/'))
    signals.emit('signedOut', undefined);
  if (problem.kind === 'deleted') signals.emit('deleted', undefined);
  if (problem.kind === 'other-account') signals.emit('otherAccount', undefined);
  throw problem;
}

/** A service that answers nothing for so long is taken for away, in milliseconds. */
const SILENT = 8_000;
let answered = 0;

async function answerTo(request: Request): Promise<Response> {
  const asked = Date.now();
  const silent = setTimeout(() => answered < asked && signals.emit('reachable', false), SILENT);
  try {
    return await (askedAhead(request) ?? fetch(request));
  } finally {
    answered = Date.now();
    clearTimeout(silent);
  }
}

function unreached(): ProblemError {
  signals.emit('reachable', false);
  return offline();
}

function noteDeprecation(response: Response): void {
  if (response.headers.get('deprecation') !== 'true') return;
  signals.emit('deprecated', {
    path: new URL(response.url, origin()).pathname,
    sunset: response.headers.get('sunset') ?? undefined,
  });
}

function origin(): string {
  return globalThis.location?.origin ?? 'http://localhost';
}
