import { messages } from '@/strings/messages';

export const t = messages({
  filter: 'Filter',
  placeholder: 'Filter: state:active, priority:>=high, or words',
  remove: 'Remove {term}',
  clear: 'Clear the filter',
  wrong:
    '{n, plural, one {A term of the filter is wrong, so nothing is shown.} other {# terms of the filter are wrong, so nothing is shown.}}',
  unknown: 'This term is not understood.',
  shown: '{n} of {total}',
  'about.state': 'Workflow state or group',
  'about.type': 'Kind of work',
  'about.priority': 'Priority, also >=high',
  'about.assignee': 'Who it is assigned to',
  'about.label': 'Labels: a,b any, a+b all',
  'about.sprint': 'Sprint',
  'about.blocked': 'Whether something else must happen first',
  'about.estimate': 'Estimate, also >4',
  'about.remaining': 'Remaining effort',
  'about.claimed': 'Who works on it now',
  'about.parent': 'Item that it belongs to',
  me: 'me',
  nobody: 'nobody',
  anybody: 'anybody',
  anAgent: 'an agent',
  current: 'the current sprint',
  noSprint: 'no sprint',
});
