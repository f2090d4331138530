import { expect, it } from 'vitest';
import { belongs, lanesOf, within } from './lanes';

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

it('knows to which part an item belongs', () => {
  const card = { stateGroup: 'active', priority: 'high', assignee: null } as const;
  const ids = (lanes: ReturnType<typeof lanesOf>) =>
    lanes.filter((lane) => belongs(lane, card)).map(({ id }) => id);
  expect(ids(lanesOf('state', []))).toEqual(['active']);
  expect(ids(lanesOf('priority', []))).toEqual(['high']);
  expect(ids(lanesOf('assignee', [{ value: 'u1', name: 'Ada' }]))).toEqual(['none']);
  expect(ids(lanesOf('none', []))).toEqual(['all']);
});
