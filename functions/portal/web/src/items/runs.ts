/** What a card says about the agent that works on it. */

import { clockTime, duration, serverNow } from '@/lib/times';
import type { Card } from '@/store/feed';
import { t } from './strings';

export interface RunGlance {
  shape: 'queued' | 'running';
  word: string;
  agent: string | undefined;
}

/** The live run of an item, as far as lists tell it: an agent that holds the claim is at work, otherwise it waits. */
export function glanceOf(card: Card): RunGlance | undefined {
  if (!card.liveRun) return undefined;
  const { claim } = card;
  if (!claim?.agent) return { shape: 'queued', word: t('queued'), agent: undefined };
  const since = Date.parse(claim.since);
  const word = Number.isNaN(since)
    ? clockTime(claim.since)
    : t('running', { for: duration(serverNow() - since) });
  return { shape: 'running', word, agent: claim.holderName };
}
