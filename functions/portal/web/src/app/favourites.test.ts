import { expect, it } from 'vitest';
import { type Favourite, lasting, MOST, toggled } from './favourites';

const page: Favourite = { slug: 'acme', href: '/o/acme/items?group=state', label: 'All items' };

it('takes a page in, and out again', () => {
  const once = toggled([], page);
  expect(once).toEqual([page]);
  expect(toggled(once, page)).toEqual([]);
});

it('keeps a bounded number of each organization', () => {
  const many = Array.from({ length: MOST }, (_, n) => ({ ...page, href: `/o/acme/${n}` }));
  expect(toggled(many, page)).toEqual(many);
  expect(toggled(many, { ...page, slug: 'other' })).toHaveLength(MOST + 1);
});

it('leads back to the page without what lay open beside it', () => {
  expect(lasting('/o/acme/items?peek=DEMO-1&group=state#x')).toBe('/o/acme/items?group=state');
  expect(lasting('/o/acme?peek=DEMO-1')).toBe('/o/acme');
});
