import { expect, it } from 'vitest';
import { addressOf, isSame, kept, listedOf, servedSort } from './listed';

it('keeps of an order only what the service has too', () => {
  expect(servedSort('-due')).toBe('-due');
  expect(servedSort('-assignee')).toBeUndefined();
  expect(kept({ filter: ' type:bug ', q: ' ', sort: 'assignee' })).toEqual({
    filter: 'type:bug',
    q: null,
    sort: null,
    group: null,
    layout: null,
  });
});

it('leads to what a view of an organization is of, and takes the rest out of the address', () => {
  const view = { id: 'v1', filter: 'type:bug', layout: 'board' as const };
  const rest = { q: undefined, sort: undefined, group: undefined };
  expect(addressOf(view)).toEqual({ filter: 'type:bug', as: 'board', view: 'v1', ...rest });
  expect(isSame(listedOf(view), { filter: 'type:bug', q: '', sort: '', layout: 'board' })).toBe(true);
  expect(isSame(listedOf(view), { filter: 'type:bug', q: '', sort: '', layout: 'list' })).toBe(false);
  expect(
    isSame(listedOf(view), { filter: 'type:bug', q: '', sort: '', layout: 'board', group: 'state' }),
  ).toBe(false);
});

it('knows whether what is shown is a view still', () => {
  const view = listedOf({ filter: 'type:bug', sort: '-priority' });
  expect(isSame(view, { filter: 'type:bug ', q: '', sort: '-priority' })).toBe(true);
  expect(isSame(view, { filter: 'type:bug', q: 'greet', sort: '-priority' })).toBe(false);
  expect(isSame(view, { filter: 'type:bug', q: '', sort: '' })).toBe(false);
});
