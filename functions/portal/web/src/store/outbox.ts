/**
 * Writes on their way to the service.
 *
 * A write is kept in the browser's storage before it is sent, so a closed tab loses nothing; it has one idempotency
 * key for its whole life, so sending it twice does it once. Writes of one lane (an item, usually) are sent in their
 * order, one after the other; lanes do not wait for each other. A tab sends what it wrote itself. What a tab that is
 * gone left behind is adopted by the next one that starts: each living tab holds a lock named by its id.
 *
 * A write belongs to the account that wrote it, and is sent only as that account.
 *
 * What the service refuses is the kind's to settle: it rolls back, asks, or sends the write again changed.
 */
import { accountOfPage } from '@/api/account';
import { isOffline, ProblemError } from '@/api/problem';
import { emitter } from '@/lib/emitter';
import { dropTyped, keepTyped, recallAll } from './database';
import type { Write } from './write';

/** How writes of a kind are shown, sent and settled. */
export interface WriteKind<Input> {
  /** Shows the write before it is sent, and again after the page was loaded anew. */
  show(write: Write<Input>): void;
  /** Sends it. The request carries [`Write.id`] as its idempotency key. */
  send(write: Write<Input>): Promise<void>;
  /** The service refused it: takes it back from view, or answers it anew. True sends it again at once. */
  refused(write: Write<Input>, problem: ProblemError): Promise<boolean>;
  /** It was sent, and what is shown now is the service's. */
  settled(write: Write<Input>): void;
}

const TAB = crypto.randomUUID();
const kinds = new Map<string, WriteKind<never>>();
const lanes = new Map<string, Write[]>();
const working = new Set<string>();
let waiting = 0;

/** Tells how many writes are on their way. */
export const outbox = emitter<{ count: number; offline: boolean }>();

export function pendingWrites(): number {
  return waiting;
}

/** Registers a kind of write. */
export function writeKind<Input>(
  name: string,
  kind: WriteKind<Input>,
): (lane: string, input: Input) => Write<Input> {
  kinds.set(name, kind as unknown as WriteKind<never>);
  return (lane, input) => {
    const write: Write<Input> = {
      id: crypto.randomUUID(),
      kind: name,
      lane,
      input,
      at: Date.now(),
      tab: TAB,
      account: accountOfPage(),
    };
    kind.show(write);
    enqueue(write);
    return write;
  };
}

/** Begins: says that this tab lives, and adopts what dead ones left. */
export async function startOutbox(): Promise<void> {
  holdLock(`svc.tab.${TAB}`);
  const alive = await livingTabs();
  const left = (await recallAll('writes')).filter((write) => !alive.has(write.tab));
  for (const write of left.sort((a, b) => a.at - b.at)) {
    const kind = kinds.get(write.kind);
    if (!kind) continue;
    // Older writes do not say whose they are; they were kept among those of this account.
    const adopted = { ...write, tab: TAB, account: write.account ?? accountOfPage() };
    kind.show(adopted as Write<never>);
    enqueue(adopted);
  }
}

/** Tries again at once what waits for the connection. */
export function retryWrites(): void {
  for (const lane of lanes.keys()) void work(lane);
}

/** Forgets the writes that wait in this page: somebody else signs in. */
export function forgetWrites(): void {
  lanes.clear();
  failures.clear();
  count(-waiting);
}

function enqueue(write: Write): void {
  lanes.set(write.lane, [...(lanes.get(write.lane) ?? []), write]);
  count(1);
  void keepTyped('writes', write).then(() => work(write.lane));
}

async function work(lane: string): Promise<void> {
  if (working.has(lane)) return;
  working.add(lane);
  try {
    for (let write = lanes.get(lane)?.[0]; write; write = lanes.get(lane)?.[0]) {
      if (!(await deliver(write))) return;
      const held = lanes.get(lane) ?? [];
      lanes.set(
        lane,
        held.filter((other) => other !== write),
      );
      if (held.includes(write)) count(-1);
      await dropTyped('writes', write.id);
    }
    lanes.delete(lane);
  } finally {
    working.delete(lane);
  }
}

/** Sends one write until it is done with. False when it waits for the connection. */
async function deliver(write: Write): Promise<boolean> {
  const kind = kinds.get(write.kind) as WriteKind<unknown>;
  for (let tries = 0; ; tries++) {
    if (write.account !== accountOfPage()) return false;
    try {
      await kind.send(write);
      kind.settled(write);
      return true;
    } catch (error) {
      if (isOffline(error) || isPassing(error)) {
        schedule(write.lane, error);
        return false;
      }
      const problem = error instanceof ProblemError ? error : new ProblemError(appProblem(error));
      if (tries < 5 && (await kind.refused(write, problem))) {
        await keepTyped('writes', write);
        continue;
      }
      return true;
    }
  }
}

const failures = new Map<string, number>();

/** Comes back to a lane later: after what the service asks for, or ever more slowly. */
function schedule(lane: string, error: unknown): void {
  const tries = (failures.get(lane) ?? 0) + 1;
  failures.set(lane, tries);
  outbox.emit('offline', isOffline(error));
  const asked = error instanceof ProblemError ? error.retryAfter : undefined;
  const wait = asked
    ? asked * 1000
    : Math.min(30_000, 1000 * 2 ** Math.min(tries, 5)) * (0.75 + Math.random() / 2);
  setTimeout(() => {
    void work(lane).then(() => lanes.has(lane) || failures.delete(lane));
  }, wait);
}

/**
 * A failure that passes by itself. An ended session too: the write waits for the person to sign in again. Where
 * somebody else signed in, it waits until the page is loaded anew.
 */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  const { status } = error.problem;
  if (error.kind === 'request-in-progress' || error.kind === 'other-account') return true;
  return status === 429 || status === 401 || status >= 500;
}

function appProblem(error: unknown) {
  return {
    type: 'app-error',
    title: 'This page failed.',
    status: 0,
    detail: String(error),
    traceId: '',
    errors: {},
  };
}

function count(change: number): void {
  waiting = Math.max(0, waiting + change);
  outbox.emit('count', waiting);
}

function holdLock(name: string): void {
  void navigator.locks?.request(name, () => new Promise(() => {}));
}

async function livingTabs(): Promise<Set<string>> {
  const held = (await navigator.locks?.query())?.held ?? [];
  return new Set(
    held.map((lock) => lock.name?.replace(/^svc\.tab\./, '') ?? '').filter((tab) => tab !== TAB),
  );
}
