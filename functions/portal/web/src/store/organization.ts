/**
 * Follows an organization: one stream for everything in it, shared by all tabs of the browser. Items come with the
 * stream; of everything else it only says that it changed, and what shows it reads it again.
 *
 * A stream goes on from a place that is older than everything the tab has read: the one that this browser followed an
 * organization to the last time, or, where it never did, one that is asked for before the rest. So what happens between
 * a page's first answers and its stream is told by the stream.
 *
 * A tab may miss something: it joined a stream that others hold, it was hidden for long and let go, or it read something
 * before its place was known. It then tells `gap`, and what is open catches up.
 */
import { accountOfPage } from '@/api/account';
import { signals } from '@/api/client';
import type { OrgChanges } from '@/api/types';
import { emitter } from '@/lib/emitter';
import { readLocal, writeLocal } from '@/lib/local';
import { loadPlace, organizationChanges, organizationStream } from './feed';
import type { Told } from './hub/engine';
import { theHub } from './hub/hub';
import { isNoPlace } from './hub/no-place';

export type Connection = 'live' | 'connecting' | 'offline';

/** Tells how the stream is doing. */
export const connection = emitter<{ changed: Connection }>();

/** What is heard of an organization, by its name in the address. */
export const heard = emitter<{
  changes: { slug: string; changes: OrgChanges };
  /** Something may have been missed. `first`: the stream begins, and tells what happened since the tab's place. */
  gap: { slug: string; first: boolean };
}>();

const HIDDEN = 5 * 60_000;

interface Following {
  slug: string;
  users: number;
  /** Where this tab is in the stream; nothing while it does not know. */
  at: string | undefined;
  /** The stream has told something. */
  begun: boolean;
  stop: () => void;
  /** The service refused the stream: the session is over. */
  refused: boolean;
  resume: () => void;
}

const followed = new Map<string, Following>();

const PLACES = 'places';

/** A page does not wait longer for its place, in milliseconds. */
const LONGEST = 1_000;

/** Where this browser was in each organization's stream when this page began: before it had read anything. */
let places: Record<string, string> = {};

/** Places that are asked for. */
const asked = new Map<string, Promise<void>>();

/**
 * Takes the place of an organization before anything of it is read: the one that is kept, or one that is asked for. What
 * waits for it reads nothing twice.
 */
export async function takePlace(slug: string | undefined): Promise<void> {
  places = { ...readLocal<Record<string, string>>(PLACES, {}) };
  if (slug === undefined || places[slug] !== undefined) return;
  await Promise.race([askPlace(slug), new Promise((resolve) => setTimeout(resolve, LONGEST))]);
}

async function askPlace(slug: string): Promise<void> {
  const asking = asked.get(slug) ?? place(slug);
  asked.set(slug, asking);
  await asking;
  asked.delete(slug);
}

async function place(slug: string): Promise<void> {
  const found = await loadPlace(slug).catch(() => undefined);
  if (found === undefined) return;
  places[slug] = found;
  keepPlace(slug, found);
  // What was asked for before may be older than the place.
  heard.emit('gap', { slug, first: false });
}

/** Goes on from here, now and when this browser comes back. */
function move(following: Following, to: string | undefined): void {
  following.at = to;
  keepPlace(following.slug, to);
}

function keepPlace(slug: string, place: string | undefined): void {
  if (accountOfPage() === undefined) return;
  const { [slug]: _, ...others } = readLocal<Record<string, string>>(PLACES, {});
  writeLocal(PLACES, place === undefined ? others : { ...others, [slug]: place });
}

/** Forgets where this browser was: at sign-out. */
export function forgetPlaces(): void {
  places = {};
  asked.clear();
}
let state: Connection = 'connecting';

export function connectionState(): Connection {
  return state;
}

export function tell(next: Connection): void {
  if (next === state) return;
  state = next;
  connection.emit('changed', next);
}

/** Follows an organization until the answered function is called. */
export function follow(slug: string): () => void {
  let following = followed.get(slug);
  if (!following) {
    following = {
      slug,
      users: 0,
      at: places[slug],
      begun: false,
      stop: () => {},
      refused: false,
      resume: () => {},
    };
    followed.set(slug, following);
    begin(following);
  }
  const one = following;
  one.users++;
  return () => {
    one.users--;
    if (one.users > 0) return;
    one.stop();
    if (one.at !== undefined) places[slug] = one.at;
    if (followed.get(slug) === one) followed.delete(slug);
    // A stream that ended tells nothing of the service once nobody follows it.
    if (followed.size === 0) tell('connecting');
  };
}

/** Listens while the page is looked at, and for a while after. */
function begin(following: Following): void {
  let unlisten: (() => void) | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    const { slug, at } = following;
    const url = organizationStream(slug);
    const subscription = { topic: slug, url, poll: organizationChanges(slug), after: at };
    unlisten = theHub().listen(subscription, (told) => hear(following, told));
  };
  const rest = () => {
    unlisten?.();
    unlisten = undefined;
  };
  const look = () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(rest, HIDDEN);
    else if (!unlisten) listen();
  };
  let stopped = false;
  const start = async () => {
    if (following.at === undefined) {
      await askPlace(following.slug);
      following.at = places[following.slug];
    }
    if (!stopped && !unlisten) listen();
  };
  document.addEventListener('visibilitychange', look);
  void start();
  following.resume = () => {
    if (!unlisten) return;
    rest();
    listen();
  };
  following.stop = () => {
    stopped = true;
    clearTimeout(hiding);
    rest();
    document.removeEventListener('visibilitychange', look);
  };
}

/** Listens again where the service refused a stream: after somebody signed in again. */
export function resumeStreams(): void {
  for (const following of followed.values()) if (following.refused) following.resume();
}

function hear(following: Following, told: Told): void {
  const { slug } = following;
  if (told.kind === 'lost') {
    following.refused = told.status === 401;
    if (told.status === 410) signals.emit('deleted', undefined);
    // Its place means nothing to the service: it begins anew.
    if (isNoPlace(told.status)) move(following, undefined);
    tell(told.status === 0 ? 'offline' : 'connecting');
    return;
  }
  following.refused = false;
  tell('live');
  if (told.kind === 'open') {
    // Without a place, the first event tells it. A stream that others hold may be ahead of this tab.
    if (told.after === undefined) return;
    const missed = told.after !== following.at;
    const first = !following.begun;
    following.begun = true;
    if (missed) move(following, told.after);
    if (missed || first) heard.emit('gap', { slug, first: !missed });
    return;
  }
  const changes = told.data as OrgChanges;
  const unknown = following.at === undefined;
  following.begun = true;
  move(following, changes.cursor);
  if (unknown || changes.reload) heard.emit('gap', { slug, first: false });
  else heard.emit('changes', { slug, changes });
}
