import { messages } from '@/strings/messages';

export const t = messages({
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',
  forgot: 'Forgot your password?',
  provider: 'Continue with {name}',
  or: 'or',
  again: 'That sign-in has expired. Begin again.',
});
