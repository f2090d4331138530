import { messages } from '@/strings/messages';

export const t = messages({
  activity: 'Activity',
  loading: 'Loading',
  anyProject: 'Any project',
  anyStatus: 'Any status',
  none: 'Nothing has happened yet',
  created: 'created',
  started: 'left the backlog',
  finished: 'finished: {state}',
  noneMatch: 'Nothing matches these filters',
  clear: 'Clear the filters',
  pullRequest: 'Pull request',
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  timedOut: 'Timed out',
});
