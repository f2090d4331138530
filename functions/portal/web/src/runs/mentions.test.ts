import { expect, it } from 'vitest';
import type { PreviewedMention } from '@/api/types';
import { effectOf } from './mentions';

const mention = (effect: string, reason: string | null = null) =>
  ({ agent: { id: 'a1', name: 'Builder', agent: true }, effect, reason }) as PreviewedMention;

it.each([
  ['Starts Fix bug by Builder.', mention('starts'), 'Fix bug'],
  ['Starts Builder.', mention('starts'), undefined],
  [
    'Builder starts later. The item is claimed by Ada.',
    mention('waits', 'The item is claimed by Ada.'),
    'Fix bug',
  ],
  ['Builder starts nothing. It is disabled.', mention('refused', 'It is disabled.'), undefined],
  ['Only notifies Builder.', mention('notifies'), undefined],
  ['Only notifies Builder. Newer.', mention('an effect to come', 'Newer.'), undefined],
])('%s', (sentence, mentioned, playbook) => {
  expect(effectOf(mentioned, playbook)).toBe(sentence);
});
