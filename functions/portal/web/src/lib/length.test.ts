import { expect, it } from 'vitest';
import { lengthOf } from './length';

it('counts characters as the service does', () => {
  expect([lengthOf(''), lengthOf('Grüße'), lengthOf('a👍b'), lengthOf('\ud83d')]).toEqual([0, 5, 3, 1]);
});
