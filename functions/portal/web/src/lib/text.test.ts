import { expect, test } from 'vitest';
import { keyOf, slugOf, unaccented, withoutIds } from './text';

test('letters keep what they are without their accents', () => {
  expect(unaccented('Größe ändern: Łódź, Ærø, naïve')).toBe('Grosse andern: Lodz, AEro, naive');
  expect(unaccented('Grö\u0308ße')).toBe('Grosse');
  expect(unaccented('日本')).toBe('日本');
});

test('names of addresses and keys are readable', () => {
  expect(slugOf('Müller & Söhne')).toBe('muller-sohne');
  expect(slugOf('Straße')).toBe('strasse');
  expect(keyOf('Größe ändern')).toBe('GA');
  expect(keyOf('Übersicht')).toBe('UBER');
});

test('sentences tell no ids', () => {
  const moved = 'The run 01a207a4-d7c5-72e8-8ae0-6be32dfc4a83 moved the item here.';
  expect(withoutIds(moved)).toBe('The run moved the item here.');
  expect(withoutIds('The playbook was deleted on 2026-01-05.')).toBe(
    'The playbook was deleted on 2026-01-05.',
  );
});
