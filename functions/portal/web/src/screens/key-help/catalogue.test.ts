import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CATALOGUE, elsewhere } from './catalogue';

const SOURCES = join(process.cwd(), 'src');
const COMMAND = /\bid: '([\w.-]+)',[^{}]*?\bkeys: '([^']+)'/g;
/** `go('home', t('home'), 'g h', …)` */
const GOING = /\bgo\('([\w-]+)', t\('\w+'\), '([^']+)'/g;

it('has every key that the app registers', () => {
  const known = new Map(CATALOGUE.flatMap(({ keys }) => keys).map(({ id, keys }) => [id, keys]));
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.|gallery/.test(file),
  );
  const registered = files.flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    const commands = [...text.matchAll(COMMAND)].map(([, id, keys]) => [id, keys]);
    return [...commands, ...[...text.matchAll(GOING)].map(([, id, keys]) => [`go.${id}`, keys])];
  });
  expect(registered.length).toBeGreaterThan(40);
  for (const [id, keys] of registered) expect([id, known.get(id)]).toEqual([id, keys]);
});

it('leaves out what works here, and parts of which nothing is left', () => {
  const log = CATALOGUE.find(({ keys }) => keys.some(({ id }) => id === 'log.wrap'));
  const all = new Set(log?.keys.map(({ id }) => id ?? ''));
  expect(elsewhere(all).map(({ title }) => title)).not.toContain(log?.title);
  const [first] = elsewhere(new Set(['palette']));
  expect(first?.keys.map(({ id }) => id)).not.toContain('palette');
});
