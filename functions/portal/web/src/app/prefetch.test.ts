import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ProblemError } from '@/api/problem';
import { queries } from '@/store/queries';
import { readAhead } from './prefetch';

let stop: () => void;
const fetched = () => vi.mocked(queries.fetchQuery).mock.calls.map(([{ queryKey }]) => queryKey?.[2]);

function link(address: string): HTMLAnchorElement {
  const element = document.createElement('a');
  element.href = address;
  document.body.append(element);
  return element;
}

async function point(element: Element, moment = 70): Promise<void> {
  element.dispatchEvent(new Event('pointerover', { bubbles: true }));
  await vi.advanceTimersByTimeAsync(moment);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(queries, 'fetchQuery').mockResolvedValue({});
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it('reads an item after a moment, and nothing else', async () => {
  stop = readAhead();
  await point(link('/o/demo/p/DEMO/items/DEMO-1'), 30);
  await point(link('/o/demo/p/DEMO/items/DEMO-2'));
  await point(link('/o/demo/p/DEMO/board'));
  expect(fetched()).toEqual(['DEMO-2']);
});

it('keeps within its budget, and goes on a minute later', async () => {
  stop = readAhead(2);
  for (let n = 1; n <= 4; n++) await point(link(`/o/demo/p/DEMO/items/DEMO-${n}`));
  expect(fetched()).toEqual(['DEMO-1', 'DEMO-2']);
  await vi.advanceTimersByTimeAsync(60_000);
  await point(link('/o/demo/p/DEMO/items/DEMO-5'));
  expect(fetched()).toHaveLength(3);
});

it('halves the budget when the service asks to wait', async () => {
  const problem = { type: 'rate-limited', title: '', status: 429, traceId: '', errors: {} };
  vi.mocked(queries.fetchQuery).mockRejectedValueOnce(new ProblemError(problem));
  stop = readAhead(4);
  for (let n = 1; n <= 4; n++) await point(link(`/o/demo/p/DEMO/items/DEMO-${n}`));
  expect(fetched()).toEqual(['DEMO-1', 'DEMO-2']);
});
