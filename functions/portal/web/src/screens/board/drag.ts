/** Dragging cards with the pointer. Keys and the Move menu do the same without it. */

import { useEffect, useRef, useState } from 'react';
import { insist } from '@/lib/parts';
import type { Landing } from './landing';

interface DragOptions {
  enabled: boolean;
  mayDrop: (key: string, state: string) => boolean;
  onDrop: (landing: Landing) => void;
}

/**
 * Makes every card below `root` draggable, and every column a place to drop. Elements come and go with scrolling, so
 * they are found by their attributes: `data-card`, `data-column`, `data-lane`.
 */
export function useBoardDrag(
  root: React.RefObject<HTMLElement | null>,
  options: DragOptions,
): { dragging: string | undefined; over: Landing | undefined } {
  const [dragging, setDragging] = useState<string>();
  const [over, setOver] = useState<Landing>();
  const latest = useRef(options);
  latest.current = options;
  const { enabled } = options;
  useEffect(() => {
    const board = root.current;
    if (!board || !enabled) return undefined;
    let stop: (() => void) | undefined;
    let gone = false;
    // The library is loaded once the board is there: nobody drags in the first moment.
    void insist(() => import('./dragging')).then(({ startDragging }) => {
      if (gone) return;
      stop = startDragging(board, {
        mayDrop: (key, state) => latest.current.mayDrop(key, state),
        onDrop: (landing) => latest.current.onDrop(landing),
        onStart: setDragging,
        onOver: setOver,
      });
    });
    return () => {
      gone = true;
      stop?.();
    };
  }, [root, enabled]);
  return { dragging, over };
}
