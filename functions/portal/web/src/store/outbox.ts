/**
 * Writes on their way to the service.
 *
 * A write is kept in the browser's storage before it is sent, so a closed tab loses nothing; it has one idempotency
 * key for its whole life, so sending it twice does it once. Writes of one lane (an item, usually) are sent in their
 * order, one after the other; lanes do not wait for each other. A tab sends what it wrote itself. What a tab that is
 * gone left behind is adopted by the next one that starts, and sent before what that one writes: each living tab holds
 * a lock named by its id.
 *
 * A write belongs to the account that wrote it, and is sent only as that account.
 *
 * What the service refuses is the kind's to settle: it rolls back, asks, or sends the write again changed.
 *
 * Writes of a batch that are alike are sent in one request, each from its own lane: one that still waits for an earlier
 * write of its lane is sent by itself later. Each is settled or refused as if it had been sent alone.
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
  /** What writes of a batch have in common that can be sent in one request; nothing for one that is sent alone. */
  common?(input: Input): string | undefined;
  /** Sends writes that have it in common. Answers for each what it was refused with, if it was. */
  sendTogether?(writes: Write<Input>[]): Promise<(ProblemError | undefined)[]>;
}

/** Writes something in a lane, or something in each of several lanes. */
export interface Writer<Input> {
  (lane: string, input: Input): void;
  all(inputs: readonly { lane: string; input: Input }[]): void;
}

/** The service takes no more in one request. */
const MOST_TOGETHER = 100;

const TAB = crypto.randomUUID();
const kinds = new Map<string, WriteKind<never>>();
const families = new Map<string, () => Promise<unknown>>();
const lanes = new Map<string, Write[]>();
const working = new Set<string>();
let waiting = 0;

/** Tells how many writes are on their way. */
export const outbox = emitter<{ count: number; offline: boolean }>();

export function pendingWrites(): number {
  return waiting;
}

/** Registers a kind of write. */
export function writeKind<Input>(name: string, kind: WriteKind<Input>): Writer<Input> {
  kinds.set(name, kind as unknown as WriteKind<never>);
  const all: Writer<Input>['all'] = (inputs) => {
    const batch = inputs.length > 1 ? crypto.randomUUID() : undefined;
    const common = { kind: name, batch, at: Date.now(), tab: TAB, account: accountOfPage() };
    const writes = inputs.map((one) => ({ id: crypto.randomUUID(), ...one, ...common }));
    for (const write of writes) kind.show(write);
    enqueue(writes);
  };
  return Object.assign((lane: string, input: Input) => all([{ lane, input }]), { all });
}

/** Names a family of kinds that is loaded with the screen that writes them, or with what a tab left of them. */
export function writesLater(family: string, load: () => Promise<unknown>): void {
  families.set(family, load);
}

/** What dead tabs left is looked for. What is written meanwhile is sent after it. */
let adopting: Promise<unknown> = Promise.resolve();

/** Begins: says that this tab lives, and adopts what dead ones left. */
export async function startOutbox(): Promise<void> {
  holdLock(`svc.tab.${TAB}`);
  const adopted = leftBehind().then(adopt);
  adopting = adopted;
  const later = await adopted;
  for (const family of new Set(later.map(({ kind }) => kind.split('.')[0] ?? '')))
    await families.get(family)?.();
  adopt(later);
}

async function leftBehind(): Promise<Write[]> {
  const alive = await livingTabs();
  const kept = await recallAll('writes');
  const own = new Set([...lanes.values()].flat().map(({ id }) => id));
  return kept.filter(({ id, tab }) => !alive.has(tab) && !own.has(id)).sort((a, b) => a.at - b.at);
}

/** Takes on what dead tabs left. Answers that of kinds that are not loaded. */
function adopt(left: readonly Write[]): Write[] {
  const adopted = left
    .filter(({ kind }) => kinds.has(kind))
    // Older writes do not say whose they are; they were kept among those of this account.
    .map((write) => ({ ...write, tab: TAB, account: write.account ?? accountOfPage() }));
  for (const write of adopted) kinds.get(write.kind)?.show(write as Write<never>);
  enqueue(adopted);
  return left.filter(({ kind }) => !kinds.has(kind));
}

/** Tries again at once what waits for the connection. */
export function retryWrites(): void {
  for (const lane of lanes.keys()) void work(lane);
}

/** Forgets the writes that wait in this page: somebody else signs in. */
export function forgetWrites(): void {
  lanes.clear();
  failures.clear();
  due.clear();
  count(-waiting);
}

function enqueue(writes: readonly Write[]): void {
  for (const write of writes) {
    const before = lanes.get(write.lane) ?? [];
    lanes.set(write.lane, write.at < (before.at(-1)?.at ?? 0) ? [write, ...before] : [...before, write]);
  }
  count(writes.length);
  // What is sent together begins at the same moment.
  void Promise.all([keepTyped('writes', ...writes), adopting]).then(() => {
    for (const { lane } of writes) void work(lane);
  });
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
      void dropTyped('writes', write.id);
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
      await send(kind, write);
      kind.settled(write);
      return true;
    } catch (error) {
      if (isOffline(error) || isPassing(error)) {
        schedule(write, error);
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

interface Gathered {
  write: Write;
  sent: () => void;
  refused: (error: unknown) => void;
}

/** Writes of batches that are sent at this moment, by what they have in common. */
const gathering = new Map<string, Gathered[]>();

/** Sends a write, with those of its batch that are sent at the same moment and are alike. */
function send(kind: WriteKind<unknown>, write: Write): Promise<void> {
  const common = write.batch && kind.common?.(write.input);
  if (!common) return kind.send(write);
  const name = `${write.batch} ${common}`;
  return new Promise((sent, refused) => {
    const together = gathering.get(name) ?? [];
    together.push({ write, sent, refused });
    if (together.length > 1) return;
    gathering.set(name, together);
    queueMicrotask(() => {
      gathering.delete(name);
      void sendAll(kind, together);
    });
  });
}

async function sendAll(kind: WriteKind<unknown>, all: readonly Gathered[]): Promise<void> {
  for (let from = 0; from < all.length; from += MOST_TOGETHER) {
    const some = all.slice(from, from + MOST_TOGETHER);
    const asked = outcomes(
      kind,
      some.map(({ write }) => write),
    );
    const problems = await asked.catch((error: unknown) => some.map(() => error));
    for (const [at, { sent, refused }] of some.entries()) {
      if (problems[at]) refused(problems[at]);
      else sent();
    }
  }
}

async function outcomes(kind: WriteKind<unknown>, writes: Write[]): Promise<unknown[]> {
  if (writes.length > 1 && kind.sendTogether) return kind.sendTogether(writes);
  await Promise.all(writes.map((write) => kind.send(write)));
  return [];
}

/** How often lanes and batches failed in a row. */
const failures = new Map<string, number>();
/** Lanes and batches that are come back to. */
const due = new Set<string>();

const nameOf = ({ batch, lane }: Write) => batch ?? lane;

/** Comes back to a lane or a batch later: after what the service asks for, or ever more slowly. */
function schedule(write: Write, error: unknown): void {
  const name = nameOf(write);
  if (due.has(name)) return;
  due.add(name);
  const tries = (failures.get(name) ?? 0) + 1;
  failures.set(name, tries);
  outbox.emit('offline', isOffline(error));
  const asked = error instanceof ProblemError ? error.retryAfter : undefined;
  const wait = asked
    ? asked * 1000
    : Math.min(30_000, 1000 * 2 ** Math.min(tries, 5)) * (0.75 + Math.random() / 2);
  setTimeout(() => {
    due.delete(name);
    const back = [...lanes].filter(([, [first]]) => first && nameOf(first) === name);
    void Promise.all(back.map(([lane]) => work(lane))).then(() => due.has(name) || failures.delete(name));
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
