import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Keys } from './Chip';
import styles from './Tooltip.module.css';

interface Shown {
  anchor: HTMLElement;
  text: string;
  keys: string | undefined;
}

const DELAY = 450;

/**
 * The one tooltip of the app, for whatever has `data-tip` under the pointer or the keyboard's focus. It repeats an
 * accessible name or adds a detail; nothing is said in it alone.
 */
export function Tooltip() {
  const shown = useShown();
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (shown && element.current) place(element.current, shown.anchor);
  }, [shown]);
  if (!shown) return null;
  // Beside the app, where dialogs are: within it, a dialog would cover the tooltips of its own buttons.
  return createPortal(
    <div ref={element} role="tooltip" className={styles.tooltip}>
      {shown.text}
      {shown.keys && <Keys keys={shown.keys} />}
    </div>,
    document.body,
  );
}

function useShown(): Shown | undefined {
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The focus goes by itself to the first control of what opens: nobody asked what that one does.
    let walked = false;
    const hide = () => {
      clearTimeout(timer);
      setShown(undefined);
    };
    const consider = (event: Event, delay: number) => {
      const anchor = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null;
      clearTimeout(timer);
      if (!anchor?.dataset.tip) return setShown(undefined);
      const next = { anchor, text: anchor.dataset.tip, keys: anchor.dataset.tipKeys };
      timer = setTimeout(() => anchor.isConnected && setShown(next), delay);
    };
    const point = (event: PointerEvent) => event.pointerType === 'mouse' && consider(event, DELAY);
    const press = ({ key }: KeyboardEvent) => {
      walked = key === 'Tab' || key.startsWith('Arrow');
      hide();
    };
    const focus = (event: FocusEvent) => {
      if (walked && event.target instanceof Element && event.target.matches(':focus-visible'))
        consider(event, DELAY);
    };
    const listeners: [string, (event: never) => void][] = [
      ['pointerover', point],
      ['focusin', focus],
      ['focusout', hide],
      ['pointerdown', hide],
      ['keydown', press],
      ['scroll', hide],
    ];
    for (const [name, listener] of listeners)
      document.addEventListener(name, listener as EventListener, true);
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of listeners)
        document.removeEventListener(name, listener as EventListener, true);
    };
  }, []);
  return shown;
}

function place(tip: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const below = at.bottom + 6 + size.height < innerHeight;
  const left = Math.max(8, Math.min(at.left + at.width / 2 - size.width / 2, innerWidth - size.width - 8));
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(below ? at.bottom + 6 : at.top - 6 - size.height)}px)`;
}
