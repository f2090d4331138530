/** Small settings of this browser that are no secret: the last organization, stars, the folded sidebar. */
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const cache = new Map<string, unknown>();
/** What tells nothing of who was here. */
const OF_THE_DEVICE = new Set([
  'svc.theme',
  'svc.folded',
  'svc.single-keys',
  'svc.diff.split',
  'svc.list-columns',
  'svc.log.fold',
  'svc.log.time',
  'svc.log.wrap',
]);

export function readLocal<T>(name: string, fallback: T): T {
  if (cache.has(name)) return cache.get(name) as T;
  let value = fallback;
  try {
    const text = localStorage.getItem(`svc.${name}`);
    if (text !== null) value = JSON.parse(text) as T;
  } catch {
    // Closed or unreadable: the fallback holds.
  }
  cache.set(name, value);
  return value;
}

export function writeLocal<T>(name: string, value: T): void {
  cache.set(name, value);
  try {
    localStorage.setItem(`svc.${name}`, JSON.stringify(value));
  } catch {
    // Full or closed: it holds until the page is left.
  }
  for (const listener of [...listeners]) listener();
}

/** Forgets everything that tells who was here and what they looked at. */
export function forgetLocal(): void {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith('svc.') && !OF_THE_DEVICE.has(name)) localStorage.removeItem(name);
    }
  } catch {
    // Closed: nothing is kept.
  }
  cache.clear();
  for (const listener of [...listeners]) listener();
}

export function useLocal<T>(name: string, fallback: T): [T, (value: T) => void] {
  const value = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => readLocal(name, fallback),
  );
  return [value, (next) => writeLocal(name, next)];
}
