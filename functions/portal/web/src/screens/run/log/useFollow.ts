/** Follows the end of what grows, as long as the reader is at the end. A reader who scrolls up is left alone. */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end counts as the end, in pixels. */
const NEAR = 24;

export function useFollow(box: RefObject<HTMLElement | null>, count: number, height: number) {
  const [following, setFollowing] = useState(true);
  const seen = useRef(0);
  const last = useRef(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows when the lines or their heights change.
  useLayoutEffect(() => {
    const element = box.current;
    if (!following || !element) return;
    element.scrollTop = element.scrollHeight;
    last.current = element.scrollTop;
    seen.current = count;
  }, [following, count, height]);

  const onScroll = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const atEnd = element.scrollHeight - element.clientHeight - element.scrollTop <= NEAR;
    const up = element.scrollTop < last.current - 1;
    last.current = element.scrollTop;
    // Only a log that is scrolled sideways holds its gutter: a hundred of them that stick slow every frame down.
    element.toggleAttribute('data-aside', element.scrollLeft !== 0);
    // Lines that come between a scroll and its event put the end further away: only a move up stops.
    if (atEnd) setFollowing(true);
    else if (up) setFollowing(false);
  }, [box]);

  const stop = useCallback(() => setFollowing(false), []);
  const toEnd = useCallback(() => setFollowing(true), []);
  return { following, unseen: following ? 0 : Math.max(0, count - seen.current), onScroll, stop, toEnd };
}
