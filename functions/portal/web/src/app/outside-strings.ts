import { messages } from '@/strings/messages';

export const t = messages({
  step: 'Step {at} of {of}',
  throttled:
    '{seconds, plural, =0 {You can try again now.} other {Too many tries. Wait # s, then try again.}}',
  wrong: 'The address or the password is wrong.',
});
