/**
 * Parts of the app that are loaded when they are wanted. The network may be gone at that moment, and a failure must not
 * last longer than its cause: a part that somebody waits for is asked for again until it is there. Nothing here loads the
 * page anew, because somebody may be writing in it.
 */
import { type ComponentType, lazy, useSyncExternalStore } from 'react';
import { emitter } from './emitter';

/** Tells whether a part that somebody waits for failed repeatedly, and whether all are there again. */
export const partEvents = emitter<{ missing: boolean }>();

/** How long to wait after the first failure, and at most, in milliseconds. A network that is back ends the wait. */
const FIRST_WAIT = 500;
export const LONGEST_WAIT = 15_000;

/** Failures in a row after which people are told. */
const TOLD_AFTER = 3;

let missing = 0;

/** Loads a part; asks again until it is there, if possible with its styles. */
export async function insist<T>(load: () => Promise<T>): Promise<T> {
  const loaded = await persist(load);
  // The bundler asks for a style once, and takes one that failed for there.
  if (styles.size > 0) await Promise.race([Promise.all(styles), pause(LONGEST_WAIT)]);
  return loaded;
}

/** Loads a part before it is needed; a failure is no matter yet. */
export function ahead(load: () => Promise<unknown>): void {
  void load().catch(() => {});
}

/** A component whose code is loaded when it is first drawn. Until then its `Suspense` waits. */
// biome-ignore lint/suspicious/noExplicitAny: as React's own `lazy`, it takes components with any properties.
export function lazyPart<Component extends ComponentType<any>>(load: () => Promise<{ default: Component }>) {
  return lazy(() => insist(load));
}

/** A part that something else stands in for until it is there. */
export interface Part<T> {
  /** Loads it before it is needed; a failure is no matter yet. */
  prepare(): Promise<void>;
  current(): T | undefined;
  subscribe(changed: () => void): () => void;
}

export function part<T>(load: () => Promise<{ default: T }>): Part<T> {
  let there: T | undefined;
  let wanted: Promise<void> | undefined;
  const take = (loaded: { default: T }) => {
    there = loaded.default;
  };
  return {
    prepare: () => load().then(take, () => {}),
    current: () => there,
    subscribe(changed) {
      let gone = false;
      wanted ??= insist(load).then(take);
      void wanted.then(() => gone || changed());
      return () => {
        gone = true;
      };
    },
  };
}

/** A part, once it is there. */
export function usePart<T>({ subscribe, current }: Part<T>): T | undefined {
  return useSyncExternalStore(subscribe, current);
}

async function persist<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      const loaded = await load();
      if (failures > TOLD_AFTER) count(-1);
      return loaded;
    } catch (error) {
      if (failures === TOLD_AFTER) {
        console.error(error);
        count(1);
      }
      await pause(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)));
    }
  }
}

/** Styles that failed and are asked for again. */
const styles = new Set<Promise<unknown>>();

/** Asks for styles of parts that fail until they are there. */
export function mendStyles(): void {
  const again = new WeakSet<EventTarget>();
  addEventListener(
    'error',
    ({ target }) => {
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet' || again.has(target)) return;
      let link: HTMLLinkElement = target;
      const ask = () =>
        new Promise((resolve, reject) => {
          const next = link.cloneNode() as HTMLLinkElement;
          again.add(next);
          next.addEventListener('load', resolve);
          next.addEventListener('error', reject);
          link.replaceWith(next);
          link = next;
        });
      const mended = pause(FIRST_WAIT).then(() => persist(ask));
      styles.add(mended);
      void mended.then(() => styles.delete(mended));
    },
    true,
  );
}

function count(change: number): void {
  const before = missing > 0;
  missing += change;
  if (missing > 0 !== before) partEvents.emit('missing', missing > 0);
}

/** Waits for so long, or until the network is back. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener('online', end);
  });
}
