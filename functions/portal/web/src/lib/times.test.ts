import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ago, dayOf } from './times';

it('tells ages in words, and days by their names', () => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const before = (hours: number) => ago(new Date(now - hours * 3_600_000).toISOString(), now);
  expect(before(0)).toBe('now');
  expect(before(3)).toBe('3h ago');
  expect(before(30)).toBe('yesterday');
  expect(before(24 * 20)).toBe(dayOf('2026-11-09T12:00:00Z', now));
});

it('is not the only one: nothing of the app follows the language of the browser', () => {
  const without = /toLocale(Date|Time)?String\(\)|new Intl\.\w+\(\s*(undefined|\[\]|\)|navigator)/;
  const all = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const own = all.filter((name) => !/\.test\.tsx?$|schema\.d\.ts$/.test(name));
  expect(own.filter((name) => without.test(readFileSync(join('src', name), 'utf8')))).toEqual([]);
});
