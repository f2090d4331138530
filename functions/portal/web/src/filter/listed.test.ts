import { expect, it } from 'vitest';
import { isSame, kept, listedOf, servedSort } from './listed';

it('keeps of an order only what the service has too', () => {
  expect(servedSort('-due')).toBe('-due');
  expect(servedSort('-assignee')).toBeUndefined();
  expect(kept({ filter: ' type:bug ', q: ' ', sort: 'assignee' })).toEqual({
    filter: 'type:bug',
    q: null,
    sort: null,
  });
});

it('knows whether what is shown is a view still', () => {
  const view = listedOf({ filter: 'type:bug', sort: '-priority' });
  expect(isSame(view, { filter: 'type:bug ', q: '', sort: '-priority' })).toBe(true);
  expect(isSame(view, { filter: 'type:bug', q: 'greet', sort: '-priority' })).toBe(false);
  expect(isSame(view, { filter: 'type:bug', q: '', sort: '' })).toBe(false);
});
