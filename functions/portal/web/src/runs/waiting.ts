/** What a waiting run waits for. */
export type Waiting =
  | 'none'
  | 'offline'
  | 'harness'
  | 'busy'
  | 'chosenOffline'
  | 'chosenBusy'
  | 'blocked'
  | 'budget'
  | 'agent'
  | 'agentDeleted'
  | 'archived'
  | 'readOnly'
  | 'requester';

const WAITING: [RegExp, Waiting][] = [
  [/^There is no runner yet/, 'none'],
  [/^No runner is online/, 'offline'],
  [/^No online runner has/, 'harness'],
  [/^Every online runner/, 'busy'],
  [/^The chosen runner (?:.* )?is offline/, 'chosenOffline'],
  [/^The chosen runner (?:.* )?is (?:busy|at work)/, 'chosenBusy'],
  [/^The \S+ budget for .* is used up/, 'budget'],
  [/^The agent .* is disabled/, 'agent'],
  [/^The agent .* was deleted/, 'agentDeleted'],
  [/^The project is archived/, 'archived'],
  [/^The organization is read-only/, 'readOnly'],
  [/ started this run (?:and may not|but may no longer) start AI work here/, 'requester'],
  [/ is blocked by /, 'blocked'],
];

/** From the service's sentence; nothing for one that this app does not know. */
export function waitingKind(sentence: string): Waiting | undefined {
  return WAITING.find(([pattern]) => pattern.test(sentence))?.[1];
}
