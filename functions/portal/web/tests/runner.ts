/**
 * A real runner with the bundled demo agent, beside the service of a journey: a repository with an origin, a machine
 * that is registered, and `svc runner start`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Service } from './service';

const TARGET = process.env.CARGO_TARGET_DIR ?? join(homedir(), '.cache/svc/target');
const PROGRAMS = process.env.SVC_SERVER ? dirname(process.env.SVC_SERVER) : join(TARGET, 'debug');

/** The agent that comes with the runner, without a model. */
export const DEMO_AGENT = join(PROGRAMS, 'demo-agent');

export class Runner {
  readonly #directory = mkdtempSync(join(tmpdir(), 'svc-runner-'));
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;

  /** With the demo agent, or with a script that stands before it; `more` is what its environment says besides. */
  constructor(harness = DEMO_AGENT, more: Record<string, string> = {}) {
    const home = this.#directory;
    writeFileSync(
      join(home, 'gitconfig'),
      '[user]\n name = Demo\n email = demo@example.com\n[init]\n defaultBranch = main\n',
    );
    this.#environment = {
      ...process.env,
      SVC_CONFIG_HOME: join(home, 'config'),
      XDG_DATA_HOME: join(home, 'share'),
      GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      SVC_RUNNER_HARNESS_1: harness,
      DEMO_AGENT,
      NO_COLOR: '1',
      ...more,
    };
  }

  /** Registers the machine with the secret that the web app showed, and begins to work. */
  start(service: Service, secret: string, project: string): void {
    const clone = join(this.#directory, 'clone');
    const origin = join(this.#directory, 'origin.git');
    this.#git('init', '-q', '--bare', origin);
    this.#git('clone', '-q', origin, clone);
    writeFileSync(join(clone, 'README.md'), '# Greeter\n');
    this.#git('-C', clone, 'add', '.');
    this.#git('-C', clone, 'commit', '-qm', 'Begin');
    this.#git('-C', clone, 'push', '-q', 'origin', 'HEAD:main');
    this.#svc('runner', 'register', '--url', service.direct, '--token', secret, '--name', 'build-1');
    this.#svc('runner', 'map', project, clone);
    this.#process = spawn(join(PROGRAMS, 'svc'), ['runner', 'start', '--parallel', '2', '--no-auto-update'], {
      env: this.#environment,
      stdio: 'ignore',
    });
  }

  async stop(): Promise<void> {
    if (this.#process) {
      const ended = new Promise((resolve) => this.#process?.once('exit', resolve));
      // The first asks it to finish what it does, the second to stop that too.
      this.#process.kill('SIGTERM');
      this.#process.kill('SIGTERM');
      const late = setTimeout(() => this.#process?.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(late);
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #git(...args: string[]): void {
    execFileSync('git', args, { env: this.#environment, stdio: 'ignore' });
  }

  #svc(...args: string[]): void {
    execFileSync(join(PROGRAMS, 'svc'), args, { env: this.#environment, stdio: 'ignore' });
  }
}
