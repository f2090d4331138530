import { expect, it } from 'vitest';
import { mendOf } from './mend';

it.each([
  ['There is no runner yet. An Admin can add one.', '/o/acme/factory/runners', 'runner.new'],
  ['Will wait. No runner is online.', '/o/acme/factory/runners', undefined],
  ['No online runner has Codex.', '/o/acme/factory/runners', undefined],
  [
    'Bot starts nothing. The project has no default playbook. A project Admin can make one the default.',
    '/o/acme/factory/playbooks?project=DEMO',
    undefined,
  ],
  [
    'The project has no default agent and the organization has several. Name one.',
    '/o/acme/p/DEMO/settings/factory',
    undefined,
  ],
  ['The agent Bot is disabled.', '/o/acme/factory/agents', undefined],
  ['The daily budget for DEMO is used up.', '/o/acme/factory/budgets', undefined],
])('leads from "%s" to what it misses', (sentence, to, command) => {
  expect(mendOf(sentence, 'acme', 'DEMO')).toMatchObject({ to, ...(command && { command }) });
});

it('leads nowhere from what misses nothing', () => {
  expect(mendOf('Every online runner is busy.', 'acme', 'DEMO')).toBeUndefined();
});
