#!/usr/bin/env node
// Makes the packages of @svc/cli: one that starts svc, and one with the binary of each platform that is given.
//
//   node cli/npm/pack.mjs OUT VERSION linux-x64=target/dist/svc [darwin-arm64=…]
//
// Prints the packages, binaries first: publish them in this order, so that nobody installs a launcher without its binary.
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileSync } from 'node:child_process';

const here = dirname(fileURLToPath(import.meta.url));
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

const [out, version, ...given] = process.argv.slice(2);
const binaries = given.map((pair) => pair.split(/=(.*)/s).slice(0, 2));
if (!out || !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version ?? '') || binaries.length === 0) {
  console.error('usage: pack.mjs OUT VERSION PLATFORM=BINARY…');
  process.exit(2);
}
for (const [platform, path] of binaries) {
  if (!PLATFORMS.includes(platform) || !path) {
    console.error(`${platform}: give a platform and its binary; platforms are ${PLATFORMS.join(', ')}`);
    process.exit(2);
  }
}

// Modes of the files are in the packages: they do not depend on who packs.
process.umask(0o022);
const common = { version, license: 'Apache-2.0', engines: { node: '>=18' } };

function pack(name, manifest, fill) {
  const folder = join(out, name.replace('@svc/', ''));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'bin'), { recursive: true });
  fill(folder);
  cpSync(join(here, '../../LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ name, ...common, ...manifest }, null, 2)}\n`);
  const args = ['pack', '--silent', '--pack-destination', out, folder];
  const file = execFileSync('npm', args, { encoding: 'utf8' }).trim().split('\n').pop();
  rmSync(folder, { recursive: true });
  console.log(join(out, file));
}

mkdirSync(out, { recursive: true });
const sha256 = {};
for (const [platform, path] of binaries) {
  const [os, cpu] = platform.split('-');
  const bytes = readFileSync(path);
  sha256[platform] = createHash('sha256').update(bytes).digest('hex');
  const description = `The svc binary for ${platform}. Install @svc/cli instead.`;
  pack(`@svc/cli-${platform}`, { description, os: [os], cpu: [cpu], files: ['bin'] }, (folder) => {
    const target = join(folder, 'bin', os === 'win32' ? 'svc.exe' : 'svc');
    writeFileSync(target, bytes);
    chmodSync(target, 0o755);
  });
}
const optionalDependencies = Object.fromEntries(binaries.map(([platform]) => [`@svc/cli-${platform}`, version]));
const description = 'Work tracking from the command line, and the runner of coding agents';
// The checksums say what the binaries of this version are, wherever they were fetched from.
const manifest = { description, bin: { svc: 'bin/svc.js' }, files: ['bin'], optionalDependencies, svc: { sha256 } };
pack('@svc/cli', manifest, (folder) => {
  cpSync(join(here, 'svc.js'), join(folder, 'bin/svc.js'));
  cpSync(join(here, 'README.md'), join(folder, 'README.md'));
});
