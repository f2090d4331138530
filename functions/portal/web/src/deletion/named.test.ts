import { expect, it } from 'vitest';
import { choosable, named } from './named';

const there = [{ id: 'a', name: 'Builder' }];
const deleted = [{ id: 'b', name: 'Reviewer' }];

it('names what is there, and says of what was deleted that it was', () => {
  expect(named('a', there, undefined, 'one')).toEqual({ id: 'a', name: 'Builder', deleted: false });
  expect(named('b', there, deleted, 'one')).toEqual({ id: 'b', name: 'Reviewer (deleted)', deleted: true });
  expect(named('c', there, deleted, 'a deleted agent')).toEqual({
    id: 'c',
    name: 'a deleted agent',
    deleted: true,
  });
});

it('says nothing of what it does not know yet', () => {
  expect(named('b', undefined, undefined, 'one')).toBeUndefined();
  expect(named(null, there, undefined, 'one')).toBeUndefined();
  expect(named('', there, undefined, 'one')).toBeUndefined();
});

it('keeps what is chosen among what there is to choose, though it was deleted', () => {
  const chosen = named('b', there, deleted, 'one');
  expect(choosable(there, chosen).map(({ name }) => name)).toEqual(['Builder', 'Reviewer (deleted)']);
  expect(choosable(there, named('a', there, undefined, 'one'))).toEqual(there);
  expect(choosable(undefined, undefined)).toEqual([]);
});
