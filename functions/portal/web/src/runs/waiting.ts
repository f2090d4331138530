/** What a waiting run waits for. */
export type Waiting = 'none' | 'offline' | 'harness' | 'busy' | 'chosenOffline' | 'chosenBusy' | 'blocked';

const WAITING: [RegExp, Waiting][] = [
  [/^There is no runner yet/, 'none'],
  [/^No runner is online/, 'offline'],
  [/^No online runner has/, 'harness'],
  [/^Every online runner/, 'busy'],
  [/^The chosen runner (?:.* )?is offline/, 'chosenOffline'],
  [/^The chosen runner (?:.* )?is (?:busy|at work)/, 'chosenBusy'],
  [/ is blocked by /, 'blocked'],
];

/** From the service's sentence; nothing for one that this app does not know. */
export function waitingKind(sentence: string): Waiting | undefined {
  return WAITING.find(([pattern]) => pattern.test(sentence))?.[1];
}
