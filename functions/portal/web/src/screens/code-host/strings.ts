import { messages } from '@/strings/messages';

export const t = messages({
  title: 'The code host is not connected',
  lead: 'Connect it again in the settings of the organization, under Code hosting.',
  otherwise: 'This attempt has expired or belongs to somebody else.',
  home: 'To the app',
});
