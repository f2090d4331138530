import { messages } from '@/strings/messages';

export const t = messages({
  loading: 'Loading',
  save: 'Save',
  saved: 'Saved.',
  cancel: 'Cancel',
});
