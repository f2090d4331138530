#!/usr/bin/env node
// Starts the binary of this platform, which is in a package of its own, and ends as it ends. It starts no other binary than
// the one that this package was made with.
'use strict';
const { spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const { readFileSync, statSync, writeFileSync } = require('node:fs');
const { constants } = require('node:os');

const platform = `${process.platform}-${process.arch}`;
const name = `@svc/cli-${platform}`;

function binary() {
  try {
    return require.resolve(`${name}/bin/svc${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    const { optionalDependencies = {} } = require('../package.json');
    if (!(name in optionalDependencies)) {
      const known = Object.keys(optionalDependencies).map((known) => known.replace('@svc/cli-', ''));
      console.error(`svc: there is no binary for ${platform}; there is one for ${known.join(', ')}`);
    } else {
      console.error(`svc: ${name} is not installed. Install @svc/cli again, without --omit=optional.`);
    }
    process.exit(1);
  }
}

// Reading the whole binary takes longer than starting it: a file that was right and did not change since is not read again.
function checked(path) {
  const { version, svc } = require('../package.json');
  const { size, ino, ctimeMs } = statSync(path);
  const seen = JSON.stringify([path, svc?.sha256?.[platform], size, ino, ctimeMs]);
  const note = `${__dirname}/checked.json`;
  try {
    if (readFileSync(note, 'utf8') === seen) return path;
  } catch {
    // Nobody started it yet, or may not write here.
  }
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found !== svc?.sha256?.[platform]) {
    console.error(`svc: ${path} is not the binary of @svc/cli ${version}. Install it again: npm install -g @svc/cli@${version}`);
    process.exit(1);
  }
  try {
    writeFileSync(note, seen);
  } catch {
    // It is read again next time.
  }
  return path;
}

// A terminal sends its signals to both; a service manager only to this process. Listened for before there is a child: none
// is missed.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']) {
  if (process.platform === 'win32' && signal !== 'SIGINT') continue;
  process.on(signal, () => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  });
}
const child = spawn(checked(binary()), process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`svc: cannot be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 128 + (constants.signals[signal] ?? 0) : code;
});
