// The packed @svc/cli, installed globally from a registry on loopback, is a working svc.
//
// BIN is where the built svc is. No Rust, no other network.
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { registry } from './registry.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const work = mkdtempSync(join(tmpdir(), 'svc-npm-'));
after(() => rmSync(work, { recursive: true, force: true }));
const served = await registry();
after(() => served.close());

// A script that stands for the binary says which version it is, and does what it is told.
const STANDS_FOR = '#!/bin/sh\ncase "$1" in --version) echo "svc VERSION" ;; code) exit "$2" ;; wait) trap "exit 75" TERM; echo ready; while :; do sleep 0.05; done ;; *) cat ;; esac\n';

function publish(version, binary) {
  const path = join(work, `svc-${version}`);
  if (!binary) writeFileSync(path, STANDS_FOR.replace('VERSION', version), { mode: 0o755 });
  const args = [join(here, 'pack.mjs'), join(work, 'packed'), version, `${platform}=${binary ?? path}`];
  const packed = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n');
  assert.equal(packed.length, 2);
  packed.forEach(served.publish);
}

// Not waited for in this thread: the registry answers in it.
async function npm(prefix, ...args) {
  const env = { ...process.env, npm_config_registry: served.url, npm_config_cache: join(work, 'cache'), npm_config_prefix: prefix };
  const done = await promisify(execFile)('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], { env });
  return done.stdout;
}

// Where npm may have put the binary.
function places(prefix) {
  const modules = join(prefix, 'lib/node_modules');
  return [join(modules, '@svc/cli/node_modules'), modules].map((place) => join(place, `@svc/cli-${platform}/bin/svc`));
}

test('npm install -g gives a working svc', { skip: !process.env.BIN && 'BIN is not set' }, async () => {
  const prefix = join(work, 'real');
  publish('0.0.1', join(process.env.BIN, 'svc'));
  await npm(prefix, 'install', '-g', '@svc/cli@0.0.1');
  const svc = (...args) => spawnSync(join(prefix, 'bin/svc'), args, { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: work } });
  assert.match(svc('--version').stdout, /^svc \d+\.\d+\.\d+/);
  const refused = svc('item', 'list');
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /svc auth login/);
});

test('what the binary is told and how it ends passes through', async () => {
  const prefix = join(work, 'stand-in');
  publish('1.0.0');
  await npm(prefix, 'install', '-g', '@svc/cli');
  const svc = join(prefix, 'bin/svc');
  assert.equal(spawnSync(svc, ['--version'], { encoding: 'utf8' }).stdout, 'svc 1.0.0\n');
  assert.equal(spawnSync(svc, ['code', '5']).status, 5);
  assert.equal(spawnSync(svc, ['echo'], { input: 'through\n', encoding: 'utf8' }).stdout, 'through\n');
  const child = spawn(svc, ['wait'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((ready) => child.stdout.once('data', ready));
  child.kill('SIGTERM');
  const code = await new Promise((ended) => child.on('exit', (...end) => ended(end)));
  assert.deepEqual(code, [75, null], 'a stop of the service reaches the binary, and its exit code the service');
});

test('a later version takes the place of an earlier one', async () => {
  const prefix = join(work, 'later');
  publish('1.1.0');
  await npm(prefix, 'install', '-g', '@svc/cli@1.1.0');
  publish('1.2.0');
  assert.equal((await npm(prefix, 'view', '@svc/cli', 'version')).trim(), '1.2.0');
  await npm(prefix, 'install', '-g', '@svc/cli@latest');
  assert.equal(spawnSync(join(prefix, 'bin/svc'), ['--version'], { encoding: 'utf8' }).stdout, 'svc 1.2.0\n');
});

test('a machine without a binary is told what there is', async () => {
  const prefix = join(work, 'omitted');
  await npm(prefix, 'install', '-g', '@svc/cli@1.0.0');
  places(prefix).forEach((place) => rmSync(place, { force: true }));
  const told = spawnSync(join(prefix, 'bin/svc'), ['--version'], { encoding: 'utf8' });
  assert.equal(told.status, 1);
  assert.match(told.stderr, new RegExp(`@svc/cli-${platform} is not installed`));
});

test('another binary than the packed one is not started', async () => {
  const prefix = join(work, 'another');
  await npm(prefix, 'install', '-g', '@svc/cli@1.0.0');
  const installed = places(prefix).find((place) => existsSync(place));
  const twice = [1, 2].map(() => spawnSync(join(prefix, 'bin/svc'), ['--version'], { encoding: 'utf8' }).stdout);
  assert.deepEqual(twice, ['svc 1.0.0\n', 'svc 1.0.0\n']);
  writeFileSync(installed, STANDS_FOR.replace('VERSION', '1.0.1'), { mode: 0o755 });
  const told = spawnSync(join(prefix, 'bin/svc'), ['--version'], { encoding: 'utf8' });
  assert.deepEqual([told.status, told.stdout], [1, '']);
  assert.match(told.stderr, /is not the binary of @svc\/cli 1\.0\.0/);
});

test('the package says what its binaries are', async () => {
  const prefix = join(work, 'sums');
  await npm(prefix, 'install', '-g', '@svc/cli@1.0.0');
  const home = join(prefix, 'lib/node_modules/@svc/cli');
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const installed = places(prefix).find((place) => existsSync(place));
  const sum = execFileSync('sha256sum', [installed], { encoding: 'utf8' }).split(' ')[0];
  assert.equal(manifest.svc.sha256[platform], sum);
});
