import { expect, test } from 'vitest';
import { keyOf, slugOf, unaccented } from './text';

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
