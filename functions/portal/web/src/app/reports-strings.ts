import { messages } from '@/strings/messages';

export const t = messages({
  contested: 'Somebody changed {field} of {key} first: it is {value} now.',
  contestedMany: 'Somebody changed {field} of {keys} first.',
  andMore: '{keys} and {n} more',
  unchanged: '{n} items did not change.',
  kept: 'Your text is kept where you wrote it.',
  keptNew: 'Everything you filled in is kept.',
  openAgain: 'Open it again',
  insist: 'Set {value}',
  nothing: 'nothing',
  deprecated: 'This page uses a deprecated part of the API: {path} {sunset}',
});
