/** Small settings of this browser that are no secret: the last organization, stars, the folded sidebar. */
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const cache = new Map<string, unknown>();

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
