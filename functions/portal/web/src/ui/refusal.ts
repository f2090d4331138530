import { useEffect, useRef } from 'react';

/**
 * Brings into sight why a form or a dialog was refused: it may be longer than the window. The answer's `role="alert"` has it
 * read out; a panel that stands for a page stays where it is.
 */
export function useRefusal<Shown extends HTMLElement>(error: unknown) {
  const shown = useRef<Shown>(null);
  useEffect(() => {
    const panel = error === undefined ? null : shown.current;
    if (panel?.closest('form, [role=dialog]')) panel.scrollIntoView?.({ block: 'nearest' });
  }, [error]);
  return shown;
}
