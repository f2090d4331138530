/** What went wrong, as every screen shows it: the service's problem document, or what the browser knows. */
import type { Problem } from './types';

/** Kinds that the browser adds to those of the service. */
export const OFFLINE = 'offline';
const UNREADABLE = 'unreadable-answer';

/** A request that was not answered with what was asked for. */
export class ProblemError extends Error {
  readonly problem: Problem;
  /** Seconds to wait, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(problem: Problem, retryAfter?: number) {
    super(detailOf(problem) || problem.title);
    this.name = 'ProblemError';
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** The kind of problem. Code decides by this, never by a text. */
  get kind(): string {
    return this.problem.type;
  }
}

/** The problem of anything that was thrown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const detail = error instanceof Error ? error.message : String(error);
  return { type: 'app-error', title: 'This page failed.', status: 0, detail, traceId: '', errors: {} };
}

/** What was wrong this time, with the sentences about single fields. Empty where the service says no more. */
export function detailOf({ detail, errors }: Problem): string {
  const sentences = [detail ?? '', ...Object.values(errors ?? {}).flat()];
  return [...new Set(sentences.map((sentence) => sentence.trim()).filter(Boolean))].join(' ');
}

/** Whether a thrown thing is a problem of this kind. */
export function isProblem(error: unknown, ...kinds: string[]): error is ProblemError {
  return error instanceof ProblemError && kinds.includes(error.kind);
}

/** Whether the service was not reached at all. */
export function isOffline(error: unknown): boolean {
  return isProblem(error, OFFLINE);
}

export function offline(): ProblemError {
  return new ProblemError({
    type: OFFLINE,
    title: 'The service cannot be reached.',
    detail: 'Check your connection, and try again.',
    status: 0,
    traceId: '',
    errors: {},
  });
}

/** The problem that an answer carries. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  try {
    const problem = (await response.json()) as Problem;
    if (typeof problem.type === 'string') return new ProblemError(problem, retryAfter);
    const { error } = problem as unknown as { error?: unknown };
    if (typeof error === 'string') return new ProblemError(saying(error, response.status), retryAfter);
  } catch {
    // A proxy's page, or nothing at all: what the status says is all that is known.
  }
  const isTooLarge = response.status === 413;
  const title = isTooLarge
    ? 'A proxy in front of the service refused this as too large.'
    : 'The answer could not be read.';
  const detail = isTooLarge
    ? 'Whoever runs the service can raise its limit.'
    : `Something between this page and the service answered with status ${response.status}.`;
  return new ProblemError(
    { type: UNREADABLE, title, detail, status: response.status, traceId: '', errors: {} },
    retryAfter,
  );
}

/** Refusals that are one sentence and no document, such as of a channel's test. */
function saying(error: string, status: number): Problem {
  return { type: 'refused', title: error, status, traceId: '', errors: {} };
}
