/** The item that the pointer is at, for keys: whichever of pointer and keyboard moved last says which item is meant. */
import { useEffect, useRef, useState } from 'react';

interface Pointed {
  /** Whether the pointer was at an item of the screen yet. */
  ever: boolean;
  /** The key of the item that it is at now. */
  now: () => string | undefined;
}

/** Follows the pointer over the items of a screen, until the keyboard leads on. Not `enabled`, it is at none. */
export function usePointed(focused: string | undefined, enabled: boolean): Pointed {
  const [ever, setEver] = useState(false);
  const at = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change of the focus that counts.
  useEffect(() => {
    at.current = undefined;
  }, [focused]);
  useEffect(() => {
    if (!enabled) return undefined;
    let last = '';
    const follow = ({ target, clientX, clientY, pointerType }: PointerEvent) => {
      const place = `${clientX} ${clientY}`;
      // A page that scrolls beneath the pointer tells a move, too.
      if (place === last || pointerType === 'touch') return;
      last = place;
      const card = target instanceof Element ? target.closest<HTMLElement>('#content [data-card]') : null;
      at.current = card?.dataset.card;
      if (card) setEver(true);
    };
    document.addEventListener('pointermove', follow, { passive: true });
    return () => document.removeEventListener('pointermove', follow);
  }, [enabled]);
  return { ever, now: () => at.current };
}
