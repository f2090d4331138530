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
  renderHook(() => useCommands(['mod+z', 'mod+k', 'c', '[', '/', 'shift+j', 'g b', 't'].map(command)));
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

it('takes the letter that stands at the same place where the layout is not Latin', () => {
  const russian = [
    { key: 'с', code: 'KeyC' },
    { key: 'Л', code: 'KeyK', ctrlKey: true },
    { key: 'О', code: 'KeyJ', shiftKey: true },
    { key: 'х', code: 'BracketLeft' },
    { key: '.', code: 'Slash' },
    { key: 'п', code: 'KeyG' },
    { key: 'и', code: 'KeyB' },
  ];
  press(document.createElement('button'), ...russian);
  expect(ran).toEqual(['c', 'mod+k', 'shift+j', '[', '/', 'g b']);
  ran = [];
  press(document.createElement('button'), { key: 'ψ', code: 'KeyC' }, { key: 'τ', code: 'KeyT' });
  expect(ran).toEqual(['c', 't']);
});

it('goes by what a Latin layout types, wherever the key is', () => {
  press(document.createElement('button'), { key: 'c', code: 'KeyI' }, { key: 'é', code: 'KeyC' });
  expect(ran).toEqual(['c']);
});
