/** What the window is like. */
import { useSyncExternalStore } from 'react';

const WIDE = '(min-width: 1025px)';

/** Whether there is room for a column beside the content. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(WIDE);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(WIDE).matches,
  );
}
