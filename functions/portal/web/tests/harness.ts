/**
 * What journeys stand on: the built server on a fresh store and a free port, Debian's Chromium, and a way to make data
 * by the API. `SVC_SERVER` names the program; without it, the one of the last build is taken. With `SVC_PREVIEW` the
 * app is served from `dist/` by Vite before that server, under the same content security policy: quick while the app
 * alone changes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Plugin, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { PATIENCE } from './patience';

const TARGET = process.env.CARGO_TARGET_DIR ?? join(homedir(), '.cache/svc/target');
const SERVER = process.env.SVC_SERVER ?? join(TARGET, 'debug/svc-server');
/** The browser that plays. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const SHOTS = new URL('./shots/', import.meta.url).pathname;

/** Tests sign in often; the budgets have tests of their own. */
const BUDGETS = { RateLimits__RequestsPerMinute: '100000', RateLimits__AuthenticationPerMinute: '100000' };

/** What a server is started with; settings by the names of their environment variables. */
interface Starting {
  demo: boolean;
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
  const proxy = Object.fromEntries(['/api', '/openapi', '/docs'].map((path) => [path, url]));
  const policy = (await fetch(`${url}/`)).headers.get('content-security-policy') ?? '';
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

let browser: Promise<Browser> | undefined;

/** The browser of the test file. */
export function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    timeout: PATIENCE,
  });
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/** A person at a browser of their own. What their pages complain about fails the test that asks. */
export class Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      const text = message.text();
      if (/Content Security Policy|Trusted|Warning:/i.test(text)) this.complaints.push(text);
    });
  }

  /** With `keeps`, the browser has a service worker, which routes of tests do not see through. */
  static async arrive(
    service: Pick<Service, 'url'>,
    size = { width: 1440, height: 900 },
    { keeps = false } = {},
  ): Promise<Person> {
    const context = await (await theBrowser()).newContext({
      baseURL: service.url,
      viewport: size,
      serviceWorkers: keeps ? 'allow' : 'block',
    });
    context.setDefaultTimeout(PATIENCE);
    const page = await context.newPage();
    return new Person(context, page);
  }

  /** Signs in as somebody; lands where `to` says. */
  async signIn(email: string, password: string, to = '/'): Promise<void> {
    await signIn(this.page, `/sign-in?to=${encodeURIComponent(to)}`, email, password);
  }

  async leave(): Promise<void> {
    await this.context.close();
  }

  card(key: string) {
    return this.page.locator(`a[data-card="${key}"]`);
  }

  column(state: string) {
    return this.page.locator(`[data-column="${state}"]`);
  }

  /** Waits until this browser keeps a draft that begins so. */
  async drafted(text: string): Promise<void> {
    const drafts = () => this.page.evaluate(storedDrafts);
    const kept = async () => (await drafts()).some((draft) => draft.startsWith(text));
    await expect.poll(kept).toBe(true);
  }

  /** What screen readers were told last. */
  async announced(): Promise<string> {
    return (await this.page.locator('[data-announcer]').textContent())?.trim() ?? '';
  }
}

/** Signs in on the page at an address, and waits until it led on. */
export async function signIn(page: Page, address: string, email: string, password: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}

/** What a test file stands on: its server, and who is signed in where a test begins. */
export interface Stage {
  service: Service;
  /** How the demo's owner signs in; only of a server that has the demo's data. */
  demo: Demo;
  ada: Person;
}

/** A server for the tests of a file: started before the first, ended with the browser after the last. */
export function serving(options: Starting = { demo: true }): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.service = await Service.start(options);
    if (stage.service.demo) stage.demo = stage.service.demo;
  });
  afterAll(async () => {
    await closeBrowser();
    await stage.service?.stop();
  });
  return stage;
}

/** The demo's server, and before each test its owner, who signs in anew and waits until the page at `path` is shown. */
export function arriving(path: string, shown: (ada: Person) => Promise<void>): Stage {
  const stage = serving();
  beforeEach(async () => {
    stage.ada = await Person.arrive(stage.service);
    await stage.ada.signIn(stage.demo.email, stage.demo.password, path);
    await shown(stage.ada);
    return () => stage.ada.leave();
  });
  return stage;
}

/** Runs in the page: the texts that are kept as drafts. */
async function storedDrafts(): Promise<string[]> {
  const texts: string[] = [];
  for (const { name } of await indexedDB.databases()) {
    if (!name?.startsWith('svc.')) continue;
    const found = await new Promise<{ text: string }[]>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const all = opening.result.transaction('drafts').objectStore('drafts').getAll();
        all.onerror = () => reject(all.error);
        all.onsuccess = () => {
          opening.result.close();
          resolve(all.result);
        };
      };
    });
    texts.push(...found.map((draft) => draft.text));
  }
  return texts;
}

/** Waits until nothing is in the middle of fading in. What turns for as long as a run works never ends. */
async function still(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ends = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    const all = document.getAnimations().filter(ends);
    return Promise.all(all.map((animation) => animation.finished.catch(() => {})));
  });
}

/** Fails where axe finds something, in the page as it is. */
export async function accessible(page: Page, name: string): Promise<void> {
  await still(page);
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
    const { violations } = await run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
    );
  });
  expect(found, name).toEqual([]);
}

/** A picture for people to look at; kept when `SVC_SHOTS` is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.SVC_SHOTS) return;
  await still(page);
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
