import { useEffect, useRef } from 'react';

/** So much of the link after it is shown, to say that there are more. */
const NEXT = 40;

/**
 * Scrolls a row of links sideways until the one of this page is in sight: on a phone there are more than fit, and when a
 * tablet is turned there are others.
 */
export function useInSight<Row extends HTMLElement>(here: string | undefined) {
  const row = useRef<Row>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page and another width move them.
  useEffect(() => {
    const all = row.current;
    if (!all) return undefined;
    const show = () => {
      const link = all.querySelector('[aria-current]');
      if (!link) return;
      const beyond = link.getBoundingClientRect().right - all.getBoundingClientRect().right;
      if (beyond > 0) all.scrollLeft += beyond + NEXT;
    };
    show();
    const width = new ResizeObserver(show);
    width.observe(all);
    return () => width.disconnect();
  }, [here]);
  return row;
}
