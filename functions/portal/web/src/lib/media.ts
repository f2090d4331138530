/** What the window is like. */
import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 1025px)';
const BESIDE = '(min-width: 821px)';
const NARROW = '(max-width: 640px)';

/** Whether there is room for a column beside the content. */
export function useWide(): boolean {
  return useMedia(WIDE);
}

/** Whether there is room for an item's properties beside its text. */
export function useRoomBeside(): boolean {
  return useMedia(BESIDE);
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
