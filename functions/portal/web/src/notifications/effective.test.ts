import { expect, it } from 'vitest';
import type { Default } from '@/data/notifications';
import { effective } from './effective';

it('follows the default of the organization, and then mail', () => {
  const own = { kind: 'assigned' as const, email: 'digest' as const };
  const set: Default = { kind: 'assigned', email: 'off', chat_1: 'immediate', chat_2: null, chat_3: null };
  expect(effective(own, 'chat_1', [set])).toBe('immediate');
  expect(effective(own, 'chat_2', [set])).toBe('digest');
  expect(effective(own, 'chat_1', [{ ...set, kind: 'claimed' }])).toBe('digest');
  expect(effective(own, 'chat_1', [])).toBe('digest');
});
