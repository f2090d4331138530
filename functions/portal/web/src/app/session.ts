/**
 * The session of this browser: begun, renewed, ended.
 *
 * Who was here last is remembered, so that their pages are painted from what is kept before the service has said
 * anything; the service is asked at once, and what it refuses is wiped. A session is renewed once a day by one tab.
 *
 * A page is for one account. Where another signs in, here or in another tab, every tab forgets what it holds and is
 * loaded anew, so that nothing that one person wrote is sent as somebody else.
 */
import { accountOfPage, setAccountOfPage } from '@/api/account';
import { data, http, signals } from '@/api/client';
import { isProblem } from '@/api/problem';
import type { Me } from '@/api/types';
import { meQuery } from '@/data/me';
import { emitter } from '@/lib/emitter';
import { loadPage } from '@/lib/load-page';
import { forgetLocal, readLocal, writeLocal } from '@/lib/local';
import { closeDatabase, openDatabase, wipeDatabases } from '@/store/database';
import { forgetProjects, recallAhead } from '@/store/live';
import { forgetPlaces, takePlace } from '@/store/organization';
import { forgetWrites, retryWrites, startOutbox } from '@/store/outbox';
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
  const placed = takePlace(/^\/o\/([^/]+)/.exec(location.pathname)?.[1]);
  if (last) {
    setAccountOfPage(last);
    openDatabase(last);
    await Promise.all([restoreQueries(), recallPage(location.pathname)]);
    // The first page may be painted from this before the service answers.
    void startOutbox();
  }
  signals.on('signedOut', () => sessionEvents.emit('ended', undefined));
  // A change was refused because the session is somebody else's: who that is decides how this page goes on.
  signals.on('otherAccount', () => void data(http.GET('/api/v1/me')).then(begin, () => {}));
  channel?.addEventListener('message', ({ data }) => heard(data));
  setInterval(() => void renew(), CHECK);
  await placed;
}

/** Another tab says that its person signed out, or which account signed in. */
function heard(said: 'out' | { account: string }): void {
  if (said === 'out') {
    closeDatabase();
    forgetUndo();
    location.assign('/sign-in');
    return;
  }
  const account = accountOfPage();
  if (account === undefined || said.account === account) return;
  forgetWrites();
  closeDatabase();
  forgetUndo();
  loadPage(here());
}

function here(): string {
  return location.pathname + location.search + location.hash;
}

/** Puts back what is kept of the project that the address names. */
async function recallPage(path: string): Promise<void> {
  const [, slug, project] = /^\/o\/([^/]+)\/p\/([^/]+)\/(?:board|list)/.exec(path) ?? [];
  if (slug !== undefined && project !== undefined) await recallAhead(slug, project);
}

/**
 * Somebody signed in. Where this page was for another account, it is loaded anew at `to`, and the promise never
 * resolves.
 */
export async function begin(me: Me, to = here()): Promise<void> {
  const last = readLocal<string | null>('user', null);
  if ((accountOfPage() ?? last ?? me.id) !== me.id) return changeAccount(me, to);
  setAccountOfPage(me.id);
  writeLocal('user', me.id);
  writeLocal('renewed', Date.now());
  openDatabase(me.id);
  queries.setQueryData(meQuery.queryKey, me);
  if (last !== me.id) {
    channel?.postMessage({ account: me.id });
    await restoreQueries();
    // Once more, as from now on it is kept what comes: the app opens without the service.
    queries.setQueryData(meQuery.queryKey, me);
    await startOutbox();
  }
  retryWrites();
  sessionEvents.emit('begun', me);
}

/** The page stays the one of the account before until it is gone: what is still sent from it is refused. */
async function changeAccount(me: Me, to: string): Promise<void> {
  await forgetKept();
  writeLocal('user', me.id);
  writeLocal('renewed', Date.now());
  channel?.postMessage({ account: me.id });
  loadPage(to);
  await new Promise(() => {});
}

/** Signs out, and forgets everything that this browser kept. */
export async function signOut(): Promise<void> {
  await endSession();
  channel?.postMessage('out');
  location.assign('/sign-in');
}

/** Ends the session, and forgets everything that this browser kept. */
export async function endSession(): Promise<void> {
  await data(http.POST('/api/v1/auth/logout')).catch((error: unknown) => {
    // A session that is over already needs no end.
    if (!isProblem(error, 'unauthenticated')) throw error;
  });
  await forgetEverything();
}

/** Wipes what is kept for whoever was here. */
export async function forgetEverything(): Promise<void> {
  await forgetKept();
  setAccountOfPage(undefined);
}

async function forgetKept(): Promise<void> {
  await import('@/notifications/push').then(({ endSubscription }) => endSubscription()).catch(() => {});
  forgetWrites();
  forgetProjects();
  forgetPlaces();
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
