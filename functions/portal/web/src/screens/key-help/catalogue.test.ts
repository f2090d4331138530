import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CATALOGUE, elsewhere } from './catalogue';

const owner = { administer: true, write: true, move: true, operate: true, start: true };
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
  expect(elsewhere(all, owner).map(({ title }) => title)).not.toContain(log?.title);
  const [first] = elsewhere(new Set(['palette']), owner);
  expect(first?.keys.map(({ id }) => id)).not.toContain('palette');
});

it('tells guests nothing of what they may not do', () => {
  const guest = { administer: false, write: false, move: false, operate: false, start: false };
  const told = elsewhere(new Set(), guest).flatMap(({ keys }) => keys.map(({ id }) => id));
  for (const id of ['item.create', 'item.state', 'go.factory', 'item.run', 'log.wrap', 'project.create'])
    expect(told).not.toContain(id);
  expect(told).toContain('go.board');
});
