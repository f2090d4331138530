import { expect, it } from 'vitest';
import { wire } from './actions';

it('sends what a field is cleared of, and only the fields that change', () => {
  expect(wire({ title: 'Greet' })).toEqual({ title: 'Greet' });
  expect(wire({ due: null })).toEqual({ due: null });
  expect(wire({ due: undefined } as never)).toEqual({ due: null });
  expect(wire({ assignee: null })).toEqual({ assignee: null });
  expect(wire({ assignee: { id: 'u1', name: 'Ada', agent: false } })).toEqual({ assignee: 'u1' });
});
