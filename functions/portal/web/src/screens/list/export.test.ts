import { expect, it } from 'vitest';
import { csvAddress } from './export';

const place = { slug: 'acme', project: 'DEMO' };

it('exports what the filter and the words match, in the order of the list', () => {
  const address = csvAddress(place, {
    filter: 'label:a+b state:"In Progress"',
    q: ' greet ',
    sort: '-priority',
  });
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  expect(pathname).toBe('/api/v1/orgs/acme/projects/DEMO/items.csv');
  expect(Object.fromEntries(searchParams)).toEqual({
    filter: 'label:a+b state:"In Progress"',
    q: 'greet',
    sort: '-priority',
  });
});

it('exports by rank where the list has an order of its own', () => {
  expect(csvAddress(place, { filter: '', q: '', sort: '' })).toMatch(/items\.csv\?sort=rank$/);
});
