import { messages } from '@/strings/messages';

export const t = messages({
  worked: 'Worked',
  cost: 'Cost',
  tokens: 'Tokens',
  tokensPlain: '{input} in, {output} out',
  tokensCached: '{input} in, {output} out, {cached} cached',
  exit: 'Exit code',
});
