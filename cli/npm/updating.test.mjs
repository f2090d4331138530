// A runner that was installed from a registry on loopback notices a newer version there, lets its run end, installs the
// version and comes back as that; and works on as it is, whatever goes wrong.
//
// BIN is where the built svc is. The newer version is the same binary with another version at the one place of it that
// says which it is (runner/src/version.rs).
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { instance } from './instance.mjs';
import { registry } from './registry.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const work = mkdtempSync(join(tmpdir(), 'svc-update-'));
// The one test that needs a user without rights looks into it.
chmodSync(work, 0o755);
const closing = [() => rmSync(work, { recursive: true, force: true })];
after(() => closing.reverse().forEach((close) => close()));
const options = { skip: !process.env.BIN && 'BIN is not set', timeout: 180_000 };

const packed = {};
let old, later;
if (process.env.BIN) {
  const binary = join(process.env.BIN, 'svc');
  old = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim().split(' ').pop();
  later = old.replace(/.$/, (digit) => (Number(digit) + 1) % 10);
  const stamp = (version) => `svc-version:${version}\0`;
  const parts = readFileSync(binary).toString('latin1').split(stamp(old));
  assert.equal(parts.length, 2, 'the version stands at one place of the binary');
  const patched = join(work, 'svc-later');
  writeFileSync(patched, parts.join(stamp(later)), { encoding: 'latin1', mode: 0o755 });
  assert.ok(later > old, 'the last digit of the version has a next one');
  packed[old] = pack('old', old, binary);
  packed[later] = pack('later', later, patched);
}

function pack(folder, version, binary) {
  const args = [join(here, 'pack.mjs'), join(work, `packed-${folder}`), version, `${platform}=${binary}`];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n');
}

/** Other package managers: how each installs for the whole user, and where the program is then. */
const managers = {
  pnpm: { args: ['add', '--global'], program: 'pnpm/bin/svc' },
  yarn: { args: ['global', 'add'], program: 'yarn/bin/svc' },
  bun: { args: ['add', '--global'], program: 'bun/bin/svc' },
};

/** A machine on which the old version is installed, registered with an instance of its own. */
async function machine(name, user, manager) {
  const home = join(work, name);
  const prefix = join(home, 'prefix');
  const clone = join(home, 'clone');
  mkdirSync(prefix, { recursive: true });
  const [served, service] = [await registry(), await instance()];
  closing.push(served.close, service.close);
  packed[old].forEach(served.publish);
  const go = join(home, 'go');
  const harness = join(home, 'harness');
  const script = `#!/bin/sh\n[ "$1" = --version ] && { echo "9.9 (Stand-in)"; exit; }\nwhile [ ! -e ${go} ]; do sleep 0.05; done\n`;
  writeFileSync(harness, script, { mode: 0o755 });
  const other = managers[manager];
  const programs = ['pnpm/bin', 'yarn/bin', 'bun/bin'].map((folder) => join(home, folder));
  const env = {
    PATH: [...(other ? [process.env.MANAGERS, ...programs] : []), process.env.PATH].join(':'),
    HOME: home,
    ...(other && {
      PNPM_HOME: join(home, 'pnpm'),
      PREFIX: join(home, 'yarn'),
      YARN_GLOBAL_FOLDER: join(home, 'yarn/global'),
      YARN_CACHE_FOLDER: join(home, 'cache'),
      BUN_INSTALL: join(home, 'bun'),
    }),
    GIT_CONFIG_NOSYSTEM: '1',
    NO_COLOR: '1',
    SVC_RUNNER_HARNESS_1: harness,
    SVC_RUNNER_UPDATE_EVERY: '1',
    npm_config_registry: served.url,
    npm_config_cache: join(home, 'cache'),
  };
  const git = (...args) => execFileSync('git', args, { cwd: home, env, stdio: 'pipe' });
  git('init', '-q', '--bare', '-b', 'main', 'origin.git');
  git('clone', '-q', join(home, 'origin.git'), clone);
  git('-C', clone, '-c', 'user.name=P', '-c', 'user.email=p@x', 'commit', '-q', '--allow-empty', '-m', 'Begin');
  git('-C', clone, 'push', '-q', 'origin', 'HEAD:refs/heads/main');
  const run = (program, ...args) => promisify(execFile)(program, args, { env, cwd: home });
  if (other) await run(manager, ...other.args, '--registry', served.url, '@svc/cli');
  else await run('npm', 'install', '-g', '--prefix', prefix, '@svc/cli', '--no-audit', '--no-fund');
  const svc = other ? join(home, other.program) : join(prefix, 'bin/svc');
  if (user) execFileSync('chown', ['-R', String(user), home]);
  const as = user ? { uid: user, gid: user } : {};
  const tell = (...args) => promisify(execFile)(svc, args, { env, cwd: home, ...as });
  await tell('runner', 'register', '--url', service.url, '--token', 'jrn_one');
  await tell('runner', 'map', 'PRJ', clone);
  const installed = () => JSON.parse(readFileSync(join(prefix, 'lib/node_modules/@svc/cli/package.json'), 'utf8')).version;
  const version = async () => (await tell('--version')).stdout.trim().split(' ').pop();
  return { home, prefix, clone, env, as, go, svc, tell, installed, version, served, service };
}

/** Starts the runner; `says` waits for a line of its log. */
function runner(machine, { args = [], cwd = machine.home, env = {} } = {}) {
  const child = spawn(machine.svc, ['runner', 'start', ...args], {
    cwd,
    env: { ...machine.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...machine.as,
  });
  closing.push(() => child.kill('SIGKILL'));
  let log = '';
  let from = 0;
  child.stderr.on('data', (piece) => (log += piece));
  const ended = new Promise((end) => child.on('exit', end));
  async function says(text) {
    for (let tries = 0; tries < 1200; tries += 1) {
      const at = log.indexOf(text, from);
      if (at >= 0) {
        from = at + text.length;
        return;
      }
      await new Promise((later) => setTimeout(later, 50));
    }
    assert.fail(`the runner does not say "${text}" after ${from}:\n${log}`);
  }
  return { child, says, ended, log: () => log };
}

test('a newer version is installed after the run in flight, and the runner comes back as it', options, async () => {
  const box = await machine('terminal');
  const started = runner(box, { args: ['--parallel', '2'] });
  await started.says(`svc ${old} is up to date`);
  box.service.give('run-1');
  await started.says('run run-1 begins');
  packed[later].forEach(box.served.publish);
  await started.says(`svc ${later} is out, this is ${old}`);
  await started.says('updating after 1 run in flight');
  assert.equal(box.installed(), old, 'nothing is installed while a run is in flight');
  assert.deepEqual(box.service.heard.ended, []);
  writeFileSync(box.go, '');
  await started.says('run run-1 is over');
  await started.says(`svc ${later} is installed; starting again`);
  await started.says(`svc-runner ${later} takes up to 2 runs at once`);
  // It looks for newer versions again and again, so that this comes after the other whichever came first.
  await started.says('connected to');
  await started.says(`svc ${later} is up to date`);
  const { clientVersion, parallel } = box.service.heard.hellos.at(-1);
  assert.deepEqual([clientVersion, parallel], [later, 2], 'it has the same arguments');
  assert.equal(box.installed(), later);
  box.service.give('run-2');
  await started.says('run run-2 is over');
  started.child.kill('SIGTERM');
  assert.equal(await started.ended, 0);
});

for (const manager of Object.keys(managers)) {
  const skip = options.skip || (!process.env.MANAGERS && 'MANAGERS is not set: see scripts/npm-tests');
  test(`${manager} updates what it installed`, { ...options, skip }, async () => {
    const box = await machine(manager, undefined, manager);
    // What a person has set up for the scope does not decide where an update comes from.
    if (manager !== 'yarn') writeFileSync(join(box.home, '.npmrc'), '@svc:registry=http://127.0.0.1:9/\n');
    packed[later].forEach(box.served.publish);
    const started = runner(box);
    await started.says(`svc ${later} is out, this is ${old}`);
    await started.says(`svc ${later} is installed; starting again`);
    await started.says(`svc-runner ${later} takes`);
    assert.equal(await box.version(), later);
    started.child.kill('SIGTERM');
    assert.equal(await started.ended, 0);
  });
}

test('a service ends with 75 for its manager to start it again', options, async () => {
  const box = await machine('service');
  const unit = (await box.tell('runner', 'install-service', '--platform', 'linux')).stdout;
  assert.match(unit, new RegExp(`ExecStart=.*${box.svc}`), 'the definition names what outlives an update');
  assert.match(unit, /RestartForceExitStatus=75/);
  packed[later].forEach(box.served.publish);
  const started = runner(box, { env: { SVC_RUNNER_SERVICE: '1' } });
  assert.equal(await started.ended, 75, started.log());
  const again = runner(box, { env: { SVC_RUNNER_SERVICE: '1' } });
  await again.says(`svc-runner ${later} takes`);
  await again.says('connected to');
  again.child.kill('SIGTERM');
  assert.equal(await again.ended, 0);
});

test('whatever fails, the runner works on as it is and tries again', options, async () => {
  const box = await machine('failing');
  box.served.state.fault = 'away';
  const started = runner(box);
  await started.says('cannot check for a newer version');
  box.served.state.fault = '';
  await started.says(`svc ${old} is up to date; the latest version is ${old}`);

  pack('older', '0.0.1', join(process.env.BIN, 'svc')).forEach(box.served.publish);
  await started.says(`svc ${old} is up to date; the latest version is 0.0.1`);

  box.served.state.fault = 'files';
  packed[later].forEach(box.served.publish);
  await started.says(`svc ${later} could not be installed; continuing with ${old}`);

  // A binary that is not the one that the package was made with.
  const wrong = join(work, 'svc-wrong');
  writeFileSync(wrong, '#!/bin/sh\necho pwned\n', { mode: 0o755 });
  box.served.publish(pack('wrong', later, wrong)[0]);
  box.served.state.fault = '';
  await started.says('is not the one that svc');
  box.served.tag('@svc/cli', old);
  await started.says(`svc ${old} is up to date`);
  box.service.give('run-1');
  await started.says('run run-1 begins');
  assert.equal(await box.version(), old, 'the version of before is there again');
  started.child.kill('SIGTERM');
  writeFileSync(box.go, '');
  assert.equal(await started.ended, 0);
});

test('a repository does not change where updates come from', options, async () => {
  const box = await machine('repository');
  const evil = await registry();
  closing.push(evil.close);
  appendFileSync(join(box.clone, '.npmrc'), `registry=${evil.url}\n@svc:registry=${evil.url}\nprefix=${work}/evil\n`);
  packed[later].forEach(box.served.publish);
  const started = runner(box, { cwd: box.clone });
  await started.says(`svc-runner ${later} takes`);
  await started.says('connected to');
  assert.equal(evil.state.asked, 0);
  assert.ok(!existsSync(join(work, 'evil')));
  started.child.kill('SIGTERM');
  assert.equal(await started.ended, 0);
});

test('updates that are off, or not for this user, are told and not made', options, async () => {
  const root = process.getuid() === 0;
  const box = await machine('closed', root ? 65534 : undefined);
  packed[later].forEach(box.served.publish);
  const off = runner(box, { args: ['--no-auto-update'] });
  await off.says(`svc ${later} is out, this is ${old}; automatic updates are off`);
  off.child.kill('SIGTERM');
  assert.equal(await off.ended, 0);

  const modules = join(box.prefix, 'lib/node_modules/@svc');
  if (root) execFileSync('chown', ['-R', '0', join(box.prefix, 'lib')]);
  else chmodSync(modules, 0o555);
  const closed = runner(box);
  await closed.says('it is not installed');
  await closed.says('cannot be written by this user');
  const refused = await box.tell('runner', 'update').catch((error) => error);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /cannot be written by this user/);
  closed.child.kill('SIGTERM');
  assert.equal(await closed.ended, 0);
  if (!root) chmodSync(modules, 0o755);
  assert.equal(box.installed(), old);
});

test('a version of a project is told, and the operator updates by hand', options, async () => {
  const box = await machine('by-hand');
  const project = join(box.home, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
  await promisify(execFile)('npm', ['install', '@svc/cli', '--no-audit', '--no-fund'], { env: box.env, cwd: project });
  packed[later].forEach(box.served.publish);
  const local = runner({ ...box, svc: join(project, 'node_modules/.bin/svc') });
  await local.says('was not installed with `npm install -g @svc/cli`');
  local.child.kill('SIGTERM');
  assert.equal(await local.ended, 0);

  const unasking = runner(box, { env: { SVC_NO_UPDATE_CHECK: '1' } });
  await unasking.says('connected to');
  unasking.child.kill('SIGTERM');
  assert.equal(await unasking.ended, 0);
  assert.doesNotMatch(unasking.log(), /is out/);

  const updated = await box.tell('runner', 'update');
  assert.equal(updated.stdout, `svc ${old} -> ${later}\n`);
  assert.equal(await box.version(), later);
  assert.match((await box.tell('runner', 'update')).stdout, new RegExp(`^svc ${later} is up to date`));
});
