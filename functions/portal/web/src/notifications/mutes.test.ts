import { expect, it } from 'vitest';
import type { Mute } from '@/data/notifications';
import { isSame } from './mutes';

it('tells mutes apart by what they are of', () => {
  const item: Mute = { what: 'item', organizationId: 'o1', key: 'A-1' };
  const agent: Mute = { what: 'agent', agentId: 'a1' };
  expect(isSame(item, { ...item })).toBe(true);
  expect(isSame(agent, { ...agent })).toBe(true);
  const others: Mute[] = [
    { ...item, key: 'A-2' },
    { ...item, organizationId: 'o2' },
    { ...item, what: 'project' },
    agent,
    { what: 'agent', agentId: 'a2' },
  ];
  expect(others.some((other) => isSame(item, other))).toBe(false);
  expect(isSame(agent, { what: 'agent', agentId: 'a2' })).toBe(false);
});
