import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { graphOf, open } from './live';

/** Several projects, loaded and followed while the component is there; whether all of them are loaded. */
export function useProjects(slug: string, projects: readonly string[]): boolean {
  const keys = projects.join(' ');
  useEffect(() => {
    const opened = keys.split(' ').map((project) => open(slug, project));
    // The one that cannot be loaded says so where it is shown.
    for (const { ready } of opened) ready.catch(() => {});
    return () => {
      for (const { close } of opened) close();
    };
  }, [slug, keys]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = keys.split(' ').map((project) => graphOf(slug, project).subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [slug, keys],
  );
  return useSyncExternalStore(subscribe, () =>
    keys.split(' ').every((project) => graphOf(slug, project).loaded),
  );
}
