import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Tooltip } from './Tooltip';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('is shown beside the app, so that no dialog covers it', () => {
  const { container } = render(
    <>
      <button type="button" data-tip="Type the name first.">
        Delete
      </button>
      <Tooltip />
    </>,
  );
  const button = screen.getByRole('button', { name: 'Delete' });
  // jsdom has no pointer events: the kind of pointer is put on an event of the same name.
  fireEvent(button, Object.assign(new Event('pointerover', { bubbles: true }), { pointerType: 'mouse' }));
  act(() => vi.runAllTimers());
  const tip = screen.getByRole('tooltip');
  expect(tip.textContent).toBe('Type the name first.');
  expect(container.contains(tip)).toBe(false);
  expect(tip.parentElement).toBe(document.body);
});

it('is shown where somebody walked by keys, and not where the focus went by itself', () => {
  const { container } = render(
    <>
      <button type="button" data-tip="Closes the page">
        Close
      </button>
      <Tooltip />
    </>,
  );
  const button = screen.getByRole('button', { name: 'Close' });
  vi.spyOn(button, 'matches').mockImplementation((selector) => selector === ':focus-visible');
  fireEvent.keyDown(container, { key: '?' });
  fireEvent.focusIn(button);
  act(() => vi.runAllTimers());
  expect(screen.queryByRole('tooltip')).toBeNull();
  fireEvent.keyDown(container, { key: 'Tab' });
  fireEvent.focusIn(button);
  act(() => vi.runAllTimers());
  expect(screen.getByRole('tooltip').textContent).toBe('Closes the page');
});
