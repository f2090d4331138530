import { messages } from '@/strings/messages';

export const t = messages({
  forgot: 'Forgot your password?',
  forgotLead: 'Enter the address of your account. You get a link to choose a new password.',
  email: 'E-mail',
  send: 'Send the link',
  sent: 'Check your mail',
  sentLead: 'If {email} has an account, a link is on its way. It works once, for an hour.',
  toSignIn: 'Back to sign-in',
  title: 'Choose a new password',
  lead: 'Sessions elsewhere end when you change it.',
  password: 'New password',
  hint: 'At least 10 characters.',
  save: 'Save the password',
  done: 'Your password is changed',
  doneLead: 'Sign in with it now.',
  signIn: 'Sign in',
  noSecret: 'This link is not complete',
  noSecretLead: 'Copy the whole address from the mail, including everything after the #.',
  again: 'Ask for another link',
});
