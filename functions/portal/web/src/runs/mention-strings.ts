import { messages } from '@/strings/messages';

export const t = messages({
  starts: 'Starts {playbook} by {agent}.',
  startsPlain: 'Starts {agent}.',
  startsLater: '{agent} starts later. {why}',
  startsNothing: '{agent} starts nothing. {why}',
  onlyNotifies: 'Only notifies {agent}. {why}',
});
