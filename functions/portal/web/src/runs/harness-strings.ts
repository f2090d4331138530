import { messages } from '@/strings/messages';

export const t = messages({
  playbooks: 'The playbook’s',
  own: 'The playbook’s: {name}',
  nowhere: '{name} · on no runner',
  notThere: '{name} · not on this runner',
});
