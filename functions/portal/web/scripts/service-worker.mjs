// Writes dist/sw.js: the service worker with the list of the build's files, named by what is in them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const dist = new URL('../dist/', import.meta.url);
const template = readFileSync(new URL('service-worker.template.js', import.meta.url), 'utf8');

const digest = createHash('sha256').update(template);
const files = names().map((name) => {
  digest.update(name).update(readFileSync(new URL(name, dist)));
  return name === 'index.html' ? '/' : `/${name}`;
});
const worker = template
  .replace('__VERSION__', digest.digest('hex').slice(0, 16))
  .replace("'__FILES__'", files.map((file) => JSON.stringify(file)).join(','));
writeFileSync(new URL('sw.js', dist), worker);

/** What the app is made of; not the compressed forms, nor what is for tests. */
function names() {
  const all = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(dist.pathname.length).replace(/^\/+/, ''));
  return all.filter((name) => !/(^|\/)\.|\.(br|gz)$|^sw\.js$/.test(name)).sort();
}
