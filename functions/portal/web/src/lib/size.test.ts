import { expect, it } from 'vitest';
import { humanSize } from './size';

it('says sizes in the unit that people know', () => {
  expect([0, 999, 1000, 999_949, 999_950, 26_214_400].map(humanSize)).toEqual([
    '0 B',
    '999 B',
    '1 kB',
    '999.9 kB',
    '1 MB',
    '26.2 MB',
  ]);
});
