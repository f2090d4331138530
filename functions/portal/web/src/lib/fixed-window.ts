import { type RefObject, useCallback, useEffect, useState } from 'react';

interface Window {
  /** The first row that is drawn, and the one after the last. */
  from: number;
  to: number;
  /** Scrolls a row into view, no further than needed. */
  reveal: (row: number) => void;
}

const BEYOND = 6;

/**
 * Which rows of a fixed height are in view, so that only those are in the document. What a board needs of a
 * virtualizer, in a tenth of the code that every page would load.
 */
export function useFixedWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): Window {
  const [range, setRange] = useState({ from: 0, to: Math.ceil(globalThis.innerHeight / height) });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = () => {
      const from = Math.max(0, Math.floor(element.scrollTop / height) - BEYOND);
      const to = Math.min(count, Math.ceil((element.scrollTop + element.clientHeight) / height) + BEYOND);
      setRange((old) => (old.from === from && old.to === to ? old : { from, to }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroller, count, height]);
  const reveal = useCallback(
    (row: number) => {
      const element = scroller.current;
      if (!element) return;
      const top = row * height;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + height > element.scrollTop + element.clientHeight) {
        element.scrollTop = top + height - element.clientHeight;
      }
    },
    [scroller, height],
  );
  return { from: Math.min(range.from, count), to: Math.min(range.to, count), reveal };
}
