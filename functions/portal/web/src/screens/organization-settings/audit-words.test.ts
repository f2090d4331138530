import { expect, it } from 'vitest';
import { actionName } from './audit-words';

it('says actions in words, also those of later versions', () => {
  expect(actionName('memberAdded')).toBe('Member added');
  expect(actionName('orgReadOnlySet')).toBe('Organization read only set');
  expect(actionName('outboundWebhookSecretRotated')).toBe('Webhook secret rotated');
  expect(actionName('somethingNew')).toBe('Something new');
});
