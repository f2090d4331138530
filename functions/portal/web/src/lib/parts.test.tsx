import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { insist, part, partEvents, usePart } from './parts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => vi.useRealTimers());

/** A load that fails a number of times. */
function failing(times: number) {
  return vi.fn(async () => {
    if (times-- > 0) throw new TypeError('Failed to fetch dynamically imported module');
    return { default: 'there' };
  });
}

it('asks for a part until it is there, and tells of it only while it fails for long', async () => {
  const told: boolean[] = [];
  partEvents.on('missing', (missing) => told.push(missing));
  const twice = failing(2);
  const short = insist(twice);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await short).toEqual({ default: 'there' });
  expect(twice).toHaveBeenCalledTimes(3);
  expect(told).toEqual([]);

  const long = [insist(failing(6)), insist(failing(4))];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual([true]);
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(long);
  expect(told).toEqual([true, false]);
});

it('asks at once when the network is back', async () => {
  const load = failing(1);
  const loading = insist(load);
  await vi.advanceTimersByTimeAsync(0);
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(await loading).toEqual({ default: 'there' });
  expect(load).toHaveBeenCalledTimes(2);
});

it('keeps no failure of a part that was only prepared', async () => {
  const load = failing(2);
  const one = part(load);
  await one.prepare();
  expect(one.current()).toBeUndefined();
  const Shown = () => <p>{usePart(one) ?? 'in its place'}</p>;
  render(<Shown />);
  screen.getByText('in its place');
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  screen.getByText('there');
});
