import { expect, it } from 'vitest';
import { tokensOf } from './drawn';

const known = {
  people: [
    { kind: 'person' as const, name: 'Ada' },
    { kind: 'person' as const, name: 'Ada Lovelace' },
    { kind: 'agent' as const, name: 'Builder' },
  ],
  item: (key: string) => (key === 'DEMO-7' ? { group: 'active' as const, title: 'Greet' } : undefined),
};
const drawn = (text: string) =>
  tokensOf(text, known).map(({ from, to, className }) => [text.slice(from, to), className.split('-').at(-1)]);

it('draws whom a text mentions by the longest name, and items that are there', () => {
  expect(drawn('お願い@Adaさん, @Ａda-Lovelace')).toEqual([
    ['@Ada', 'person'],
    ['@Ａda-Lovelace', 'person'],
  ]);
  expect(drawn('@ada lovelace and @Builder: see DEMO-7, (DEMO-7)')).toEqual([
    ['@ada lovelace', 'person'],
    ['@Builder', 'agent'],
    ['DEMO-7', 'active'],
    ['DEMO-7', 'active'],
  ]);
});

it('draws nothing that only looks so', () => {
  for (const text of [
    'ada@Ada.example',
    '@Adam',
    '\\@Ada',
    '?to=@Ada',
    '@@Ada',
    'DEMO-70',
    'xDEMO-7',
    '/DEMO-7',
    'DEMO-7-fix',
    '@nobody',
  ])
    expect(drawn(text), text).toEqual([]);
});
