import { messages } from '@/strings/messages';

export const t = messages({
  audit: 'Audit log',
  about:
    'Who changed members, tokens, agents, runners and settings, who deleted what, and who started and cancelled runs. Tokens that reach all organizations of a person are not in it.',
  anyAction: 'Everything',
  group_people: 'People and access',
  group_runs: 'Runs',
  group_machines: 'Runners',
  group_deletions: 'Deletions',
  anybody: 'Anybody',
  download: 'Download',
  none: 'Nothing yet.',
  noneOfThat: 'Nothing of that.',
  itself: 'the service',
  via: 'by {via}',
  older: 'Show older',
  change: '{from} → {to}',
});
