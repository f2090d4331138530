/**
 * The session of this browser: begun, renewed, ended.
 *
 * Who was here last is remembered, so that their pages are painted from what is kept before the service has said
 * anything; the service is asked at once, and what it refuses is wiped. A session is renewed once a day by one tab.
 */
import { data, http, signals } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { Me } from '@/api/types';
import { meQuery } from '@/data/me';
import { emitter } from '@/lib/emitter';
import { forgetLocal, readLocal, writeLocal } from '@/lib/local';
import { openDatabase, wipeDatabases } from '@/store/database';
import { forgetProjects, recallAhead } from '@/store/live';
import { retryWrites, startOutbox } from '@/store/outbox';
import { forgetQueries, queries, restoreQueries } from '@/store/queries';
import { forgetUndo } from '@/store/undo';

/** Tells when the service no longer knows the session. */
export const sessionEvents = emitter<{ ended: undefined; begun: Me }>();

const RENEW_AFTER = 24 * 3_600_000;
const CHECK = 10 * 60_000;
const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('svc.session') : undefined;

/** Begins the app: opens what is kept for who was here last. */
export async function startSession(): Promise<void> {
  const last = readLocal<string | null>('user', null);
  if (last) {
    openDatabase(last);
    await Promise.all([restoreQueries(), recallPage(location.pathname)]);
    // The first page may be painted from this before the service answers.
    void startOutbox();
  }
  signals.on('signedOut', () => sessionEvents.emit('ended', undefined));
  channel?.addEventListener('message', ({ data }) => data === 'out' && location.assign('/sign-in'));
  setInterval(() => void renew(), CHECK);
}

/** Puts back what is kept of the project that the address names. */
async function recallPage(path: string): Promise<void> {
  const [, slug, project] = /^\/o\/([^/]+)\/p\/([^/]+)\/(?:board|list)/.exec(path) ?? [];
  if (slug !== undefined && project !== undefined) await recallAhead(slug, project);
}

/** Somebody signed in. */
export async function begin(me: Me): Promise<void> {
  const last = readLocal<string | null>('user', null);
  if (last !== null && last !== me.id) {
    forgetProjects();
    forgetLocal();
    await wipeDatabases();
    forgetQueries();
  }
  writeLocal('user', me.id);
  writeLocal('renewed', Date.now());
  openDatabase(me.id);
  queries.setQueryData(meQuery.queryKey, me);
  if (last !== me.id) {
    await restoreQueries();
    await startOutbox();
  }
  retryWrites();
  sessionEvents.emit('begun', me);
}

/** Signs out, and forgets everything that this browser kept. */
export async function signOut(): Promise<void> {
  await data(http.POST('/api/v1/auth/logout')).catch((error: unknown) => {
    // A session that is over already needs no end.
    if (!isProblem(error, 'unauthenticated')) throw error;
  });
  await forgetEverything();
  channel?.postMessage('out');
  location.assign('/sign-in');
}

/** Wipes what is kept for whoever was here. */
export async function forgetEverything(): Promise<void> {
  forgetProjects();
  forgetQueries();
  forgetUndo();
  forgetLocal();
  await wipeDatabases();
}

async function renew(): Promise<void> {
  if (readLocal<string | null>('user', null) === null || document.hidden) return;
  await navigator.locks?.request('svc.renewal', { ifAvailable: true }, async (lock) => {
    const at = Number(localStorage.getItem('svc.renewed') ?? 0);
    if (!lock || Date.now() - at < RENEW_AFTER) return;
    await data(http.POST('/api/v1/auth/refresh')).catch(() => {});
    writeLocal('renewed', Date.now());
  });
}
