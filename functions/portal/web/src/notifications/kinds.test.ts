import { expect, it } from 'vitest';
import type { Kind } from '@/data/notifications';
import { columnsOf, GROUPS, grouped, otherwise, PLATFORMS } from './kinds';

it('puts every kind into one group, and those of a later service under them', () => {
  const kinds = GROUPS.flatMap((group): Kind[] => [...group.kinds]);
  expect(new Set(kinds).size).toBe(20);
  const entries = [...kinds, 'budgetLow' as Kind].map((kind) => ({ kind }));
  const groups = grouped(entries);
  expect(groups.map(({ id }) => id)).toEqual(['conversation', 'items', 'agents', 'team', 'upkeep', 'more']);
  expect(groups.at(-1)?.entries).toEqual([{ kind: 'budgetLow' }]);
  expect(grouped([{ kind: 'assigned' as Kind }]).map(({ id }) => id)).toEqual(['items']);
});

it('says what no choice means where all organizations agree', () => {
  const one = (kind: string, mode: string) => ({
    kind,
    chat_1: { mode: 'off', from: 'you', otherwise: mode },
  });
  const inForce = [one('assigned', 'digest'), one('assigned', 'digest'), one('claimed', 'off')] as never[];
  expect(otherwise(inForce, 'assigned', 'chat_1')).toBe('digest');
  expect(otherwise([...inForce, one('assigned', 'off') as never], 'assigned', 'chat_1')).toBeUndefined();
  expect(otherwise(inForce, 'mentioned', 'chat_1')).toBeUndefined();
});

it('shows a platform that is connected or set, and no other', () => {
  const none = Object.fromEntries(PLATFORMS.map((platform) => [platform, null])) as never;
  expect(columnsOf([], [none])).toEqual([]);
  expect(columnsOf([{ type: 'chat_3' }], [none])).toEqual(['chat_3']);
  expect(columnsOf([{ type: 'chat_3' }], [{ ...(none as object), chat_1: 'off' } as never])).toEqual([
    'chat_1',
    'chat_3',
  ]);
});
