/**
 * The built server on a store of its own and a free port. `SVC_SERVER` names the program; without it, the one of the last
 * build is taken. With `SVC_PREVIEW` the app is served from `dist/` by Vite before that server, under the same content
 * security policy: quick while the app alone changes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin, PreviewServer } from 'vite';

const TARGET = process.env.CARGO_TARGET_DIR ?? join(homedir(), '.cache/svc/target');
const SERVER = process.env.SVC_SERVER ?? join(TARGET, 'debug/svc-server');
/** Tests sign in often; the budgets have tests of their own. */
const BUDGETS = { RateLimits__RequestsPerMinute: '100000', RateLimits__AuthenticationPerMinute: '100000' };

/** What a server is started with; settings by the names of their environment variables. */
export interface Starting {
  demo: boolean;
  /** A directory of a server before, whose data this one begins with a copy of. */
  copyOf?: string;
  port?: number;
  /** Of the preview before it. */
  shownAt?: number;
  directory?: string;
  settings?: Record<string, string>;
}

export interface Demo {
  email: string;
  password: string;
  token: string;
  runnerSecret: string;
}

export class Service {
  readonly url: string;
  /** The server's own address, where a preview stands before it. */
  readonly direct: string;
  readonly demo: Demo | undefined;
  readonly #process: ChildProcess;
  readonly #directory: string;
  #preview: PreviewServer | undefined;
  #settings: Record<string, string> = {};

  private constructor(
    url: string,
    direct: string,
    demo: Demo | undefined,
    process: ChildProcess,
    directory: string,
  ) {
    this.url = url;
    this.direct = direct;
    this.demo = demo;
    this.#process = process;
    this.#directory = directory;
  }

  /** Starts a server, with the demo's data or as an instance that nobody has set up. */
  static async start(options: Starting): Promise<Service> {
    if (!existsSync(SERVER))
      throw new Error(`There is no ${SERVER}. Run make web build first, or set SVC_SERVER.`);
    const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'svc-web-'));
    if (options.copyOf) cpSync(options.copyOf, directory, { recursive: true });
    const args = ['--data', join(directory, 'data'), '--listen', `127.0.0.1:${options.port ?? 0}`];
    if (options.demo) args.push('--demo');
    const settings = { ...BUDGETS, ...options.settings };
    const child = spawn(SERVER, args, { env: { ...process.env, ...settings, NO_COLOR: '1' } });
    const url = await address(child);
    const file = join(directory, 'data/demo.json');
    const demo = options.demo ? (JSON.parse(readFileSync(file, 'utf8')) as Demo) : undefined;
    const before = process.env.SVC_PREVIEW ? await previewOf(url, options.shownAt) : undefined;
    const shown = before?.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? url;
    const service = new Service(shown, url, demo, child, directory);
    service.#preview = before;
    service.#settings = settings;
    return service;
  }

  /** Ends the server; with `keep`, its data stays for a server to come. */
  async stop(keep = false): Promise<void> {
    await this.#preview?.close();
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGTERM');
    await ended;
    if (!keep) rmSync(this.#directory, { recursive: true, force: true });
  }

  /** The same store, served again at the same address. */
  restart(): Promise<Service> {
    const port = Number(new URL(this.direct).port);
    const shownAt = Number(new URL(this.url).port);
    const demo = this.demo !== undefined;
    return Service.start({ demo, port, shownAt, directory: this.#directory, settings: this.#settings });
  }

  /** Where its data is, in a folder `data`. */
  get directory(): string {
    return this.#directory;
  }

  /** A request with the demo's token. */
  async api<T = unknown>(method: string, path: string, body?: unknown, token = this.demo?.token): Promise<T> {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (token) headers.authorization = `Bearer ${token}`;
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${this.url}/api/v1${path}`, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }
}

async function previewOf(url: string, port = 0): Promise<PreviewServer> {
  const proxy = Object.fromEntries(['/api', '/openapi', '/docs', '/register'].map((path) => [path, url]));
  const policy = (await fetch(`${url}/`)).headers.get('content-security-policy') ?? '';
  const { preview } = await import('vite');
  return preview({
    preview: { proxy, port, host: '127.0.0.1', headers: { 'content-security-policy': policy } },
    plugins: [COMPRESSED],
    logLevel: 'silent',
  });
}

/** Has a preview send scripts and styles as the server does: compressed, and kept for ever. */
const COMPRESSED: Plugin = {
  name: 'compressed',
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const ending = /^\/assets\/.*\.(js|css)$/.exec(request.url ?? '')?.[1];
      const file = `dist${request.url}.br`;
      if (!ending || !existsSync(file)) return next();
      const type = ending === 'js' ? 'text/javascript' : 'text/css';
      const forever = 'public, max-age=31536000, immutable';
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'cache-control': forever });
      return response.end(readFileSync(file));
    });
  },
};

function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      const found = /serving address=([\d.:]+)/.exec(text);
      if (found) resolve(`http://${found[1]}`);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${text}`)));
  });
}
