import { useRef } from 'react';

/** What dialogs that lead on to another one need: one closes itself when it is done, and what it leads to then stays. */
export function useLeading<Asked>(ask: (asked: Asked | undefined) => void) {
  const led = useRef(false);
  return {
    lead: (to: Asked) => {
      led.current = true;
      ask(to);
    },
    close: () => {
      if (!led.current) ask(undefined);
      led.current = false;
    },
  };
}
