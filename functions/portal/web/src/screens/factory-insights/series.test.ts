import { expect, it } from 'vitest';
import { measured, mondaysOf, type Stats, seriesOf } from './series';

const numbers = (some: Partial<Stats['total']>): Stats['total'] => ({
  runs: 4,
  succeeded: 3,
  failed: 1,
  cancelled: 0,
  timedOut: 0,
  successPercent: 75,
  cost: 2,
  inputTokens: 0,
  outputTokens: 0,
  rework: 1,
  queueMedianSeconds: null,
  queueP95Seconds: null,
  runMedianSeconds: null,
  runP95Seconds: null,
  reviewMedianSeconds: null,
  ...some,
});
const group = (key: string, runs: number, begins: string) => ({
  key,
  name: key,
  numbers: numbers({ runs }),
  weeks: [{ begins, numbers: numbers({ runs, successPercent: 50 }) }],
});
const stats: Stats = {
  from: '2026-01-07T09:00:00Z',
  until: '2026-01-21T09:00:00Z',
  by: 'harness',
  total: numbers({}),
  groups: [group('small', 1, '2026-01-12'), group('large', 9, '2026-01-05')],
};

it('has a place for every week of the period, whether anything happened in it or not', () => {
  expect(mondaysOf(stats)).toEqual(['2026-01-05', '2026-01-12', '2026-01-19']);
  const series = seriesOf(stats, 'success', ({ name }) => name);
  expect(series.map(({ id }) => id)).toEqual(['large', 'small']);
  expect(series.map(({ values }) => values)).toEqual([
    [50, undefined, undefined],
    [undefined, 50, undefined],
  ]);
});

it('says nothing where a measure says nothing', () => {
  expect(measured('review', numbers({}))).toBeUndefined();
  expect(measured('review', numbers({ reviewMedianSeconds: 5400 }))).toBe(1.5);
  expect(measured('rework', numbers({}))).toBe(25);
  expect(measured('rework', numbers({ runs: 0 }))).toBeUndefined();
  expect(measured('success', numbers({ successPercent: null }))).toBeUndefined();
});
