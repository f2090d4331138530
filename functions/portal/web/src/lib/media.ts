/** What the window is like. */
import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 1025px)';
const NARROW = '(max-width: 640px)';

/** Whether there is room for a column beside the content. */
export function useWide(): boolean {
  return useMedia(WIDE);
}

/** Whether it is as narrow as a phone. */
export function useNarrow(): boolean {
  return useMedia(NARROW);
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}
