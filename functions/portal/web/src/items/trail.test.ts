import { expect, it } from 'vitest';
import { leaveTrail, surroundings } from './trail';

const left = (href: string) => leaveTrail({ href, keys: ['A-1', 'B-2', 'A-3'], entry: '1 /', at: 1 });

it('knows what surrounds an item where it was opened from', () => {
  left('/o/demo/items?q=words');
  expect(surroundings('demo', 'B-2')).toMatchObject({ place: 1, previous: 'A-1', next: 'A-3' });
  expect(surroundings('demo', 'A-1')).toMatchObject({ place: 0, previous: undefined, next: 'B-2' });
  left('/o/demo?tab=mine');
  expect(surroundings('demo', 'A-3')).toMatchObject({ place: 2, next: undefined });
});

it('leads nowhere from an item that was not there, nor from one of another organization', () => {
  left('/o/demo');
  expect(surroundings('demo', 'A-9')).toBeUndefined();
  expect(surroundings('dem', 'A-1')).toBeUndefined();
});
