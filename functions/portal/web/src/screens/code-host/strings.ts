import { messages } from '@/strings/messages';

export const t = messages({
  title: 'The code host is not connected',
  lead: 'Connect it again in the settings of the organization, under Code hosting.',
  otherwise: 'This attempt has ended or is somebody else’s.',
  home: 'To the app',
});
