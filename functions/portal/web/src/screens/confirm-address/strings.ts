import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Confirm your new address',
  lead: 'After that you sign in with the address that this mail was sent to.',
  confirm: 'Confirm the address',
  done: 'Your address is confirmed',
  doneLead: 'Sign in with it from now on.',
  noSecret: 'This link is not complete',
  noSecretLead: 'Copy the whole address from the mail, including everything after the #.',
  home: 'To the app',
});
