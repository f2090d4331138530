import { describe, expect, it } from 'vitest';
import type { Budget } from '@/api/types';
import { amount, changes, heldBackBy, meters, valuesOf } from './limits';

const USED = { runsAtOnce: 1, runsADay: 8, minutesADay: 30, tokensADay: 12_400, costADay: 2.5 };

function budget(limits: Budget['limits'], left: Budget['left']): Budget {
  return { limits, used: USED, left };
}

describe('meters', () => {
  it('tells what is free, near and used up', () => {
    const limits = { runsAtOnce: 4, runsADay: 10, minutesADay: 30 };
    const found = meters(budget(limits, { runsAtOnce: 3, runsADay: 2, minutesADay: 0 }));
    expect(found.map(({ limit, part, state }) => [limit, part, state])).toEqual([
      ['runsAtOnce', 0.25, 'free'],
      ['runsADay', 0.8, 'near'],
      ['minutesADay', 1, 'over'],
      ['tokensADay', undefined, 'free'],
      ['costADay', undefined, 'free'],
    ]);
  });

  it('counts a limit of nothing as used up', () => {
    const found = heldBackBy(budget({ costADay: 0, runsADay: 9 }, { costADay: 0, runsADay: 1 }));
    expect(found).toEqual(['The whole organization (cost today)']);
    expect(heldBackBy(budget({}, {}))).toEqual([]);
  });
});

describe('a form', () => {
  it('begins with the limits that there are', () => {
    const values = valuesOf({ runsADay: 10, costARun: 2.5 });
    expect([values.runsADay, values.costARun, values.tokensADay]).toEqual(['10', '2.5', '']);
  });

  it('sends what was changed, and null for what was emptied', () => {
    const begun = valuesOf({ runsADay: 10, costARun: 2.5, minutesARun: 30 });
    expect(changes(begun, { ...begun, runsADay: '0', costARun: ' ', tokensADay: '' })).toEqual({
      runsADay: 0,
      costARun: null,
    });
  });
});

it('shows dollars with their cents and large numbers short', () => {
  expect([amount('costADay', 2.5), amount('tokensADay', 12_400)]).toEqual(['$2.50', '12.4K']);
});
