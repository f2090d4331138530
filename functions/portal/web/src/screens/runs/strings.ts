import { messages } from '@/strings/messages';

export const t = messages({
  runs: 'Runs',
  loading: 'Loading',
  anyStatus: 'Any status',
  anyProject: 'Any project',
  anyAgent: 'Any agent',
  none: 'No run yet',
  noneHint: 'Open an item and press R to hand it to an agent.',
  noneMatch: 'No run matches these filters',
  clear: 'Clear the filters',
  total: '{n, plural, one {1 run} other {# runs}}',
  queued: 'Queued',
  assigned: 'Starting',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  timedOut: 'Timed out',
});

export const STATUSES = [
  'queued',
  'assigned',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'timedOut',
] as const;

export function statusName(status: (typeof STATUSES)[number]): string {
  return t(status);
}
