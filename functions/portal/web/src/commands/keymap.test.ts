import { afterEach, expect, it } from 'vitest';
import { forgetKeymap, pressedFor, remap } from './keymap';

afterEach(forgetKeymap);

it('takes other keys, until the first ones are chosen again', () => {
  remap('c', 'shift+n');
  expect(pressedFor('c')).toBe('shift+n');
  expect(pressedFor('g b')).toBe('g b');
  remap('c', 'c');
  expect(pressedFor('c')).toBe('c');
});
