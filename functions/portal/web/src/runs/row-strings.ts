import { messages } from '@/strings/messages';

export const t = messages({
  kind_implement: 'First run',
  kind_refine: 'Refinement',
  kind_continue: 'Continued',
  kind_retry: 'Retry',
  kind_followUp: 'Follow-up',
});
