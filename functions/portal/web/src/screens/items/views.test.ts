import { expect, it } from 'vitest';
import { lanesOf, within } from './lanes';
import { addressOf, keptOf, type OrgView, shows } from './views';

const view: OrgView = { id: '1', slug: 'acme', name: 'Bugs', search: { filter: 'type:bug', as: 'board' } };

it('keeps what is shown, and not where one looks', () => {
  const search = { filter: 'type:bug', as: 'board', peek: 'DEMO-1', view: '1' };
  expect(keptOf(search)).toEqual(view.search);
  expect(shows(view, search)).toBe(true);
  expect(shows(view, { ...search, sort: 'due' })).toBe(false);
});

it('takes out of the address what the view has not', () => {
  expect(addressOf(view)).toEqual({
    filter: 'type:bug',
    as: 'board',
    q: undefined,
    sort: undefined,
    group: undefined,
    view: '1',
  });
});

it('asks for each part by itself', () => {
  expect(lanesOf('none', []).map(({ term }) => within('type:bug', term))).toEqual(['type:bug']);
  expect(lanesOf('state', []).map(({ term }) => within('', term))).toContain('state:active');
  const people = [
    { value: 'u1', name: 'Ada' },
    { value: null, name: null },
  ];
  expect(lanesOf('assignee', people).map(({ name, term }) => `${name} ${term}`)).toEqual([
    'Ada assignee:u1',
    'Nobody assignee:none',
  ]);
});
