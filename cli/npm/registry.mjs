// A registry of packages on loopback, as far as `npm install` and `npm view` ask one: for the tests of the packaging.
import { createHash } from 'node:crypto';
import http from 'node:http';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { execFileSync } from 'node:child_process';

/**
 * Serves packed packages; `publish` adds one while it serves, `tag` says which version is the latest, and `fault` breaks it:
 * 'away' answers nothing useful, 'files' loses the packages themselves. `asked` counts requests.
 */
export async function registry() {
  const packages = new Map();
  const files = new Map();
  const state = { fault: '', asked: 0 };
  const server = http.createServer((request, response) => {
    state.asked += 1;
    if (state.fault === 'away') return response.writeHead(503).end();
    if (state.fault === 'files' && request.url.startsWith('/files/')) return response.writeHead(404).end();
    const path = decodeURIComponent(new URL(request.url, 'http://registry').pathname).slice(1);
    if (files.has(path)) return response.end(files.get(path));
    const found = packages.get(path);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error: 'not found' }));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${server.address().port}`;
  function publish(file) {
    const bytes = readFileSync(file);
    const manifest = JSON.parse(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }));
    const { name, version } = manifest;
    files.set(`files/${basename(file)}`, bytes);
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const dist = { tarball: `${url}/files/${basename(file)}`, integrity };
    const known = packages.get(name) ?? { name, 'dist-tags': {}, versions: {} };
    known.versions[version] = { ...manifest, dist };
    known['dist-tags'].latest = version;
    packages.set(name, known);
  }
  function tag(name, version) {
    packages.get(name)['dist-tags'].latest = version;
  }
  function close() {
    server.closeAllConnections();
    server.close();
  }
  return { url, state, publish, tag, close };
}
