import { expect, it } from 'vitest';
import { filterOf } from './audit-filter';

it('asks for whole days of the person who looks, the last one included', () => {
  const { since, until } = filterOf({ from: '2026-03-28', to: '2026-03-29' });
  expect(since).toBe(new Date(2026, 2, 28).toISOString());
  expect(until).toBe(new Date(2026, 2, 30).toISOString());
  expect(filterOf({ to: '2026-12-31' }).until).toBe(new Date(2027, 0, 1).toISOString());
});

it('asks for the actions of a kind, and by whom', () => {
  expect(filterOf({ what: 'tokens', by: 'u1' })).toMatchObject({
    action: 'tokenCreated,tokenRevoked',
    by: 'u1',
  });
});

it('leaves out what an address names that there is not', () => {
  const none = { action: undefined, by: undefined, since: undefined, until: undefined };
  expect(filterOf({})).toEqual(none);
  expect(filterOf({ what: 'toString', by: '', from: '2026-02-30', to: 'tomorrow' })).toEqual(none);
});
