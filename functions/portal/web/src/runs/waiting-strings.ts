import { messages } from '@/strings/messages';

export const t = messages({
  waits_none: 'no runner yet',
  waits_offline: 'no runner online',
  waits_harness: 'no runner with this harness',
  waits_busy: 'all runners busy',
  waits_chosenOffline: 'chosen runner offline',
  waits_chosenBusy: 'chosen runner busy',
  waits_blocked: 'blocked',
  waits_budget: 'over budget',
  waits_agent: 'agent disabled',
  waits_agentDeleted: 'agent deleted',
  waits_archived: 'project archived',
  waits_readOnly: 'read-only',
  waits_requester: 'not permitted',
});
