/** The events that webhooks send, in groups that people know, and their names. */
import type { WebhookEvent } from '@/data/webhooks';
import { t } from './webhook-strings';

export const EVENT_GROUPS = [
  { id: 'items', events: ['item.created', 'item.changed', 'item.moved', 'item.deleted'] },
  { id: 'comments', events: ['comment.created', 'comment.edited', 'comment.deleted'] },
  { id: 'work', events: ['run.ended', 'sprint.started', 'sprint.completed'] },
] as const satisfies readonly { id: string; events: readonly WebhookEvent[] }[];

export const EVENTS: readonly WebhookEvent[] = EVENT_GROUPS.flatMap(({ events }) => [...events]);

const NAMED: ReadonlySet<WebhookEvent> = new Set<WebhookEvent>([...EVENTS, 'ping']);

/** An event in words. One of a later service is called by its own name. */
export function eventName(event: WebhookEvent): string {
  return NAMED.has(event) ? t(`event_${event.replace('.', '_')}` as 'event_ping') : event;
}
