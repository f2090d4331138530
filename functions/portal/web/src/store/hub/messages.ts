import type { Subscription } from './engine';

/** What a tab says to the shared worker. */
export type FromTab =
  | ({ do: 'listen' } & Subscription)
  | { do: 'stop'; topic: string }
  | { do: 'hello'; topic: ''; lock: string }
  | { do: 'bye'; topic: '' };
