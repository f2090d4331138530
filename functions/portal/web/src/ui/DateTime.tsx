import { useSyncExternalStore } from 'react';
import { ago, exactly } from '@/lib/times';

/** A moment: relative under a week, the whole date with its zone on hover. */
export function DateTime({ at, className }: { at: string; className?: string | undefined }) {
  useMinute();
  return (
    <time dateTime={at} className={className} data-tip={exactly(at)}>
      {ago(at)}
    </time>
  );
}

const listeners = new Set<() => void>();
let minute = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** Draws the component again each half minute, all of them by one timer. */
export function useMinute(): void {
  useSyncExternalStore(subscribe, () => minute);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && timer !== undefined) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function tick(): void {
  minute++;
  for (const listener of listeners) listener();
}
