import { expect, it } from 'vitest';
import type { Card } from '@/store/feed';
import { transferRefusal } from './transfer';

const card = (some: object = {}) =>
  ({ key: 'DEMO-1', type: 'story', claim: null, liveRun: null, ...some }) as never as Card;
const subtasks = (n: number, some: object = {}) =>
  Array.from({ length: n }, (_, at) => card({ key: `DEMO-${at + 2}`, type: 'subtask', ...some }));
const refusal = (children: Card[], item = card(), frozen?: string) =>
  transferRefusal(item, 'ada', { children, frozen });
const claim = { holder: 'bo', holderName: 'Bo', agent: false, stale: false };

it('lets everything that belongs to it go along', () => {
  expect(refusal([])).toBeUndefined();
  expect(refusal(subtasks(200))).toBeUndefined();
  expect(refusal(subtasks(1, { type: 'story' }))).toBeUndefined();
});

it('names the subtask that somebody works on, not what may stay', () => {
  expect(refusal(subtasks(1, { liveRun: 'r1' }))).toMatch(/^A run works on its subtask DEMO-2\./);
  expect(refusal(subtasks(1, { claim }))).toBe('Bo works on its subtask DEMO-2.');
  expect(refusal(subtasks(1, { claim: { ...claim, stale: true } }))).toBeUndefined();
  expect(refusal(subtasks(1, { claim: { ...claim, holder: 'ada' } }))).toBeUndefined();
  expect(refusal(subtasks(1, { type: 'task', claim }))).toBeUndefined();
});

it('tells first what keeps the item itself', () => {
  expect(refusal(subtasks(6), card({ claim }))).toBe('Bo works on it.');
  expect(refusal([], card({ type: 'subtask' }))).toMatch(/belongs to its parent/);
  expect(refusal([], card(), 'The project is archived.')).toBe('The project is archived.');
});
