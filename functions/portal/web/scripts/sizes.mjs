// What the browser loads before the board can be used: the page's own scripts and the board's, with all that they
// import, compressed with gzip. Fails above the limit.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const LIMIT = 168_000;
const FONT_LIMIT = 50_000;
const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

const page = readFileSync(new URL('index.html', dist), 'utf8');
// The page names the board's files too, for `public/before.js`.
const named = [...page.matchAll(/\/(assets\/[^" ]+\.js)/g)].map((match) => match[1]);
if (!/name="svc-board" content="\/assets\/board-/.test(page))
  throw new Error('The page names no files of the board.');
const first = closure(Object.keys(manifest).filter(isNamed));
const scripts = [...first].map((name) => manifest[name].file).filter((file) => file.endsWith('.js'));
const styles = new Set([...first].flatMap((name) => manifest[name].css ?? []));
const fonts = Object.values(manifest)
  .map((entry) => entry.file)
  .filter((file) => file.endsWith('.woff2'));

const total = sum(scripts);
print('JavaScript of the first load', total, LIMIT);
print('CSS of the first load', sum([...styles]));
print('font', Math.max(0, ...fonts.map((file) => readFileSync(new URL(file, dist)).length)), FONT_LIMIT);
if (process.argv.includes('--all')) for (const file of scripts) console.log(`  ${size(file)} ${file}`);
process.exitCode = total > LIMIT ? 1 : 0;

/** Whether the page itself names this part of the build. */
function isNamed(name) {
  return named.includes(manifest[name].file);
}

/** These parts of the build and everything that they import without being asked. */
function closure(names) {
  const found = new Set();
  const waiting = [...names];
  while (waiting.length > 0) {
    const name = waiting.pop();
    if (found.has(name)) continue;
    if (!manifest[name]) throw new Error(`The build has no ${name}. Run npm run build first.`);
    found.add(name);
    waiting.push(...(manifest[name].imports ?? []));
  }
  return found;
}

function size(file) {
  return gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length;
}

function sum(files) {
  return files.reduce((bytes, file) => bytes + size(file), 0);
}

function print(what, bytes, limit) {
  const verdict =
    limit === undefined
      ? ''
      : bytes > limit
        ? ` > ${limit / 1000} kB: too much`
        : ` (at most ${limit / 1000} kB)`;
  console.log(`${what}: ${(bytes / 1000).toFixed(1)} kB${verdict}`);
}
