import { afterEach, expect, it, vi } from 'vitest';
import { awaitField, forgetField, takeTyped, typesAhead } from './ahead';

const press = (key: string, more: KeyboardEventInit = {}) =>
  typesAhead(new KeyboardEvent('keydown', { key, ...more }));

afterEach(forgetField);

it('keeps what is typed for a field that comes, once', () => {
  awaitField(() => {});
  expect(['i', 'N', ' ', 'x', 'Backspace', 'Enter', 'ArrowDown'].map((key) => press(key))).not.toContain(
    false,
  );
  expect(takeTyped()).toBe('iN ');
  expect(takeTyped()).toBe('');
  expect(press('s')).toBe(false);
});

it('leaves keys to commands where no field comes, and those with modifiers always', () => {
  expect(press('s')).toBe(false);
  awaitField(() => {});
  expect(press('k', { ctrlKey: true })).toBe(false);
  expect(press('Tab')).toBe(false);
  forgetField();
  expect(press('s')).toBe(false);
});

it('is cancelled by Escape', () => {
  const cancel = vi.fn(forgetField);
  awaitField(cancel);
  press('i');
  expect(press('Escape')).toBe(true);
  expect(cancel).toHaveBeenCalledOnce();
  expect(takeTyped()).toBe('');
});
