import { messages } from '@/strings/messages';

export const t = messages({
  trace: 'Trace id',
  retry: 'Try again',
  retryIn: 'Try again in {seconds} s',
  wait: 'The service asks to wait {seconds} s.',
  copy: 'Copy',
  copied: 'Copied',
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
  dismiss: 'Dismiss',
  secretOnce: 'Copy it now: it is shown only once.',
  loading: 'Loading',
  preview: 'Preview',
  write: 'Write',
  hunk: 'Change at line {line}',
  length: '{n} of {most} characters',
  tooLong: 'This has {n} characters; {most} are the most.',
  noMatch: 'Nothing matches "{query}".',
  filter: 'Filter…',
});
