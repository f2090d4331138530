/** What a card says about the agent that works on it. */
import type { Run } from '@/api/types';
import { clockTime, duration, serverNow } from '@/lib/times';
import { waitingKind } from '@/runs/waiting';
import { t as waits } from '@/runs/waiting-strings';
import type { Card } from '@/store/feed';
import { t } from './strings';

interface RunGlance {
  shape: 'queued' | 'scheduled' | 'running';
  word: string;
  agent: string | undefined;
  /** All of it, for who points at it. */
  more: string | undefined;
}

/**
 * The live run of an item. Without the run itself, as far as the card tells it: an agent that holds the claim is at
 * work, otherwise the run waits.
 */
export function glanceOf(card: Card, run: Run | undefined, now = serverNow()): RunGlance | undefined {
  if (!card.liveRun) return undefined;
  if (run && run.id === card.liveRun) return glanceOfRun(run, now);
  const { claim } = card;
  if (!claim?.agent) return { shape: 'queued', word: t('queued'), agent: undefined, more: undefined };
  const since = Date.parse(claim.since);
  const word = Number.isNaN(since) ? clockTime(claim.since) : t('running', { for: duration(now - since) });
  return { shape: 'running', word, agent: claim.holderName, more: undefined };
}

function glanceOfRun(run: Run, now: number): RunGlance | undefined {
  const agent = run.agent.name;
  if (run.status === 'running' && run.startedAt) {
    const word = t('running', { for: duration(now - Date.parse(run.startedAt)) });
    return { shape: 'running', word, agent, more: undefined };
  }
  if (run.status === 'assigned' || run.status === 'running')
    return { shape: 'running', word: t('starting'), agent, more: undefined };
  // It ended: the card will say so in a moment.
  if (run.status !== 'queued') return undefined;
  if (run.scheduledFor && Date.parse(run.scheduledFor) > now) {
    const word = t('scheduled', { time: clockTime(run.scheduledFor, now) });
    return { shape: 'scheduled', word, agent, more: undefined };
  }
  const kind = waitingKind(run.waitingReason ?? '');
  const word = kind ? t('queuedFor', { why: waits(`waits_${kind}`) }) : t('queued');
  return { shape: 'queued', word, agent, more: run.waitingReason };
}
