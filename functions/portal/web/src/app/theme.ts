/** The theme: the system's, light or dark. `public/before.js` sets it before the first paint. */
import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const NAME = 'svc.theme';
const listeners = new Set<() => void>();

export function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export function setTheme(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(NAME, next);
  } catch {
    // It holds for this page then.
  }
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, theme);
}
