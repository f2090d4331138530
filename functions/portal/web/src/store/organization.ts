/**
 * Follows an organization: one stream for everything in it, shared by all tabs of the browser. Items come with the
 * stream; of everything else it only says that it changed, and what shows it reads it again.
 *
 * A tab may miss something: it joined a stream that others hold, or it was hidden for long and let go. It then tells
 * `gap`, and what is open catches up.
 */
import type { OrgChanges } from '@/api/types';
import { emitter } from '@/lib/emitter';
import { organizationStream } from './feed';
import type { Told } from './hub/engine';
import { theHub } from './hub/hub';

export type Connection = 'live' | 'connecting' | 'offline';

/** Tells how the stream is doing. */
export const connection = emitter<{ changed: Connection }>();

/** What is heard of an organization, by its name in the address. */
export const heard = emitter<{
  changes: { slug: string; changes: OrgChanges };
  /** Something may have been missed. `first`: only what was asked for before the stream was there. */
  gap: { slug: string; first: boolean };
}>();

const HIDDEN = 5 * 60_000;

interface Following {
  slug: string;
  users: number;
  /** Where this tab is in the stream; nothing before its first event. */
  at: string | undefined;
  stop: () => void;
  /** The service refused the stream: the session is over. */
  refused: boolean;
  resume: () => void;
}

const followed = new Map<string, Following>();
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
    following = { slug, users: 0, at: undefined, stop: () => {}, refused: false, resume: () => {} };
    followed.set(slug, following);
    begin(following);
  }
  const one = following;
  one.users++;
  return () => {
    one.users--;
    if (one.users > 0) return;
    one.stop();
    if (followed.get(slug) === one) followed.delete(slug);
  };
}

/** Listens while the page is looked at, and for a while after. */
function begin(following: Following): void {
  let unlisten: (() => void) | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    const { slug, at } = following;
    const subscription = { topic: slug, url: organizationStream(slug), after: at };
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
  document.addEventListener('visibilitychange', look);
  listen();
  following.resume = () => {
    if (!unlisten) return;
    rest();
    listen();
  };
  following.stop = () => {
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
    tell(told.status === 0 ? 'offline' : 'connecting');
    return;
  }
  following.refused = false;
  tell('live');
  if (told.kind === 'open') {
    // Of a stream that begins, the first event tells the position. One that others hold may be ahead of this tab.
    if (told.after === undefined || told.after === following.at) return;
    const first = following.at === undefined;
    following.at = told.after;
    heard.emit('gap', { slug, first });
    return;
  }
  const changes = told.data as OrgChanges;
  const first = following.at === undefined;
  following.at = changes.cursor;
  if (first || changes.reload) heard.emit('gap', { slug, first });
  else heard.emit('changes', { slug, changes });
}
