/** An import, request by request: what came so far, and where it goes on after one that failed. */
import { data, http } from '@/api/client';
import { ProblemError } from '@/api/problem';
import type { components } from '@/api/schema';

export type Wanted = components['schemas']['ReadExport'];
export type Skipped = components['schemas']['SkippedRecord'];

export interface Came {
  done: number;
  records: number;
  created: number;
  changed: number;
  unchanged: number;
  skipped: Skipped[];
  /** Where the next request goes on; nothing when all came. */
  next: number | undefined;
}

export const nothing = (records: number): Came => ({
  done: 0,
  records,
  created: 0,
  changed: 0,
  unchanged: 0,
  skipped: [],
  next: 0,
});

/** How long to wait for a service that is busy or away, in milliseconds, before each further attempt. */
const PAUSES = [1_000, 2_000, 5_000, 10_000];

/** Brings the rest of an export. `tell` hears of every request that was answered. */
export async function bring(
  slug: string,
  project: string,
  wanted: Wanted,
  so: Came,
  tell: (came: Came) => void,
  signal: AbortSignal,
): Promise<void> {
  let came = so;
  while (came.next !== undefined && !signal.aborted) {
    const part = await patiently(() => send(slug, project, { ...wanted, from: came.next ?? 0 }), signal);
    came = {
      done: part.done,
      records: part.records,
      created: came.created + part.created,
      changed: came.changed + part.changed,
      unchanged: came.unchanged + part.unchanged,
      skipped: [...came.skipped, ...(part.skipped ?? [])],
      next: part.next ?? undefined,
    };
    tell(came);
  }
}

function send(slug: string, key: string, body: Wanted) {
  const params = { path: { slug, key } };
  return data(http.POST('/api/v1/orgs/{slug}/projects/{key}/import/files', { params, body }));
}

/** Asks again where the service is busy or away: nothing comes twice. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await ask();
    } catch (error) {
      const status = error instanceof ProblemError ? error.problem.status : 0;
      if (signal.aborted || (status >= 400 && status < 500 && status !== 429)) throw error;
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
  return ask();
}
