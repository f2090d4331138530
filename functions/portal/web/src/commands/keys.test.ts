import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startKeys } from './keys';
import { type Command, useCommands } from './registry';

let stop: () => void;
let ran: string[] = [];

const command = (keys: string): Command => ({
  id: keys,
  title: keys,
  group: 'general',
  keys,
  run: () => ran.push(keys),
});

beforeEach(() => {
  ran = [];
  stop = startKeys();
  renderHook(() => useCommands(['mod+z', 'mod+k', 'c'].map(command)));
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

/** Presses keys in an element; what the page left to the browser. */
function press(element: HTMLElement, ...events: KeyboardEventInit[]): string[] {
  document.body.append(element);
  const left = events.filter((init) =>
    element.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true })),
  );
  return left.map(({ key }) => key ?? '');
}

const KEYS = [
  { key: 'z', ctrlKey: true },
  { key: 'z', metaKey: true },
  { key: 'k', ctrlKey: true },
  { key: 'c' },
];

it('leaves undo and what is typed to the field that has the focus', () => {
  const fields = ['input', 'textarea', 'select'].map((name) => document.createElement(name));
  for (const field of fields) {
    ran = [];
    expect(press(field, ...KEYS)).toEqual(['z', 'z', 'c']);
    expect(ran).toEqual(['mod+k']);
  }
});

it('gives commands outside of fields', () => {
  expect(press(document.createElement('button'), ...KEYS)).toEqual([]);
  expect(ran).toEqual(['mod+z', 'mod+z', 'mod+k', 'c']);
});
