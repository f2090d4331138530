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

it('lets up to five subtasks go along, and says of more how many there are', () => {
  expect(refusal([])).toBeUndefined();
  expect(refusal(subtasks(5))).toBeUndefined();
  expect(refusal(subtasks(6))).toBe('It has 6 subtasks, and at most 5 go along. Move some out of it first.');
});

it('names the subtask that somebody works on, and what is no subtask', () => {
  expect(refusal(subtasks(1, { liveRun: 'r1' }))).toMatch(/^A run works on its subtask DEMO-2\./);
  expect(refusal(subtasks(1, { claim }))).toBe('Bo works on its subtask DEMO-2.');
  expect(refusal(subtasks(1, { claim: { ...claim, stale: true } }))).toBeUndefined();
  expect(refusal(subtasks(1, { claim: { ...claim, holder: 'ada' } }))).toBeUndefined();
  expect(refusal(subtasks(1, { type: 'task' }))).toMatch(/^DEMO-2 belongs to it and is no subtask\./);
});

it('tells first what keeps the item itself', () => {
  expect(refusal(subtasks(6), card({ claim }))).toBe('Bo works on it.');
  expect(refusal([], card({ type: 'subtask' }))).toMatch(/belongs to its parent/);
  expect(refusal([], card(), 'The project is archived.')).toBe('The project is archived.');
});
