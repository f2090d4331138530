/** What happened, in a corner, for a while. The list is outside React, so that the store can tell too. */
import { useSyncExternalStore } from 'react';
import { detailOf, problemOf } from '@/api/problem';

export interface Toast {
  id: number;
  text: string;
  detail?: string | undefined;
  tone: 'info' | 'bad';
  /** What can be done about it; pressing it takes the toast away. */
  action?: { label: string; run: () => void } | undefined;
  /** It waits until somebody does something about it. */
  stays?: boolean | undefined;
}

/** How long a toast stays, in milliseconds. */
const STAY = 8_000;

let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

export function toast(
  text: string,
  more: Partial<Pick<Toast, 'detail' | 'tone' | 'action' | 'stays'>> = {},
): number {
  const id = next++;
  change([...toasts.slice(-3), { id, text, tone: 'info', ...more }]);
  return id;
}

/** Shows what went wrong, and what became of what was written. */
export function toastProblem(
  error: unknown,
  { note = '', action }: { note?: string; action?: Toast['action'] } = {},
): void {
  const problem = problemOf(error);
  const detail = [detailOf(problem), note].filter(Boolean).join(' ');
  toast(problem.title, { tone: 'bad', detail, action });
}

export function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}

/** How long it stays: what asks for an answer stays until it has one. */
export function stay(toast: Toast): number {
  return toast.tone === 'bad' && toast.action ? STAY * 4 : STAY;
}

function change(list: readonly Toast[]): void {
  toasts = list;
  for (const listener of listeners) listener();
}
