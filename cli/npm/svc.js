#!/usr/bin/env node
// Starts the binary of this platform, which is in a package of its own, and ends as it ends.
'use strict';
const { spawn } = require('node:child_process');
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

// A terminal sends its signals to both; a service manager only to this process. Listened for before there is a child: none
// is missed.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2']) {
  if (process.platform === 'win32' && signal !== 'SIGINT') continue;
  process.on(signal, () => {
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  });
}
const child = spawn(binary(), process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`svc: cannot be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 128 + (constants.signals[signal] ?? 0) : code;
});
