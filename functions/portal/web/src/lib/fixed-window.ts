import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

interface Range {
  /** The first row that is drawn. */
  from: number;
  /** The one after the last. */
  to: number;
}

interface Window extends Range {
  /** Scrolls a row into view, no further than needed. */
  reveal: (row: number) => void;
}

const BEYOND = 6;

/**
 * Which rows of a fixed height are in view, so that only those are in the document. What a board needs of a
 * virtualizer, in a tenth of the code that every page would load.
 *
 * Where the scroller stands is learned from its events alone. Asking the element while rows are changing would have the
 * browser lay the page out an extra time.
 */
export function useFixedWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): Window {
  const view = useRef({ top: 0, height: globalThis.innerHeight });
  const [range, setRange] = useState<Range>({ from: 0, to: Math.ceil(globalThis.innerHeight / height) });
  const look = useCallback(() => {
    const now = rowsIn(view.current, height);
    setRange((old) => (old.from === now.from && old.to === now.to ? old : now));
  }, [height]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      view.current = { top: element.scrollTop, height: element.clientHeight };
      look();
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller, look]);
  const reveal = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (!element) return;
      const { top, height: shown } = view.current;
      const begin = row * height;
      const next = Math.max(begin + height - shown, Math.min(begin, top));
      if (next === top) return;
      element.scrollTop = next;
      view.current = { top: next, height: shown };
      look();
    },
    [scroller, height, look],
  );
  return { from: Math.min(range.from, count), to: Math.min(range.to, count), reveal };
}

function rowsIn({ top, height: shown }: { top: number; height: number }, height: number): Range {
  return {
    from: Math.max(0, Math.floor(top / height) - BEYOND),
    to: Math.ceil((top + shown) / height) + BEYOND,
  };
}
