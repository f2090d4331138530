/**
 * What journeys stand on: a server of their file, Debian's Chromium, which all files of a worker share, and people at
 * browsers of their own.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest';
import { LAUNCHED } from './chromium';
import { PATIENCE } from './patience';
import { type Demo, Service, type Starting } from './service';

const SHOTS = new URL('./shots/', import.meta.url).pathname;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Promise<Browser> | undefined;

/** The browser of the worker. It ends with the worker's process. */
export function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch(LAUNCHED);
  return browser;
}

/** Closes what a file left open. */
export async function closeContexts(): Promise<void> {
  const open = (await browser)?.contexts() ?? [];
  await Promise.all(open.map((context) => context.close()));
}

/** A person at a browser of their own. What their pages complain about fails the test that asks. */
export class Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[] = [];
  /** What the page asked for and has not got yet. */
  readonly #asked = new Set<Request>();

  private constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      const text = message.text();
      if (/Content Security Policy|Trusted|Warning:/i.test(text)) this.complaints.push(text);
    });
    page.on('request', (request) => {
      if (request.isNavigationRequest()) this.#asked.clear();
      // The script of a shared worker is never told to have come.
      if (!/\/shared-worker-/.test(request.url())) this.#asked.add(request);
    });
    page.on('requestfinished', (request) => this.#asked.delete(request));
    page.on('requestfailed', (request) => this.#asked.delete(request));
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

  /** Comes to a page with a session of somebody that was begun by the API, as whoever signed in earlier does. */
  async enter(email: string, password: string, path: string): Promise<void> {
    const headers = { 'x-svc-request': '1' };
    const answer = await this.context.request.post('/api/v1/auth/login', {
      headers,
      data: { email, password },
    });
    if (!answer.ok()) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`);
    await this.page.goto(path);
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

  /** Waits until the page has all that it asks for, has drawn it, and shows no skeleton any more. */
  async settled(): Promise<void> {
    const quiet = async () => {
      await this.page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestIdleCallback(drawn))),
      );
      return this.#asked.size === 0 && (await this.page.locator('[data-skeleton]').count()) === 0;
    };
    // What comes may make the page ask for more.
    await expect.poll(async () => (await quiet()) && (await quiet()) && (await quiet())).toBe(true);
  }

  /** Waits until the page has fetched ahead what it does while it is quiet. */
  async warm(): Promise<void> {
    await this.page.waitForFunction(() => performance.getEntriesByName('svc.warm').length > 0);
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

/** A server for the tests of a file: started before the first, ended after the last. */
export function serving(options: Starting = { demo: true }): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.service = await Service.start(options.demo ? { copyOf: inject('demo'), ...options } : options);
    if (stage.service.demo) stage.demo = stage.service.demo;
  });
  afterAll(async () => {
    await closeContexts();
    await stage.service?.stop();
  });
  return stage;
}

/** The demo's server, and before each test its owner, who comes with a new session and waits until the page at `path` is shown. */
export function arriving(path: string, shown: (ada: Person) => Promise<void>): Stage {
  const stage = serving();
  beforeEach(async () => {
    stage.ada = await Person.arrive(stage.service);
    await stage.ada.enter(stage.demo.email, stage.demo.password, path);
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
  const there = await page.evaluate(() => 'axe' in globalThis);
  if (!there) await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe.run;
    const { violations } = await run(document, {
      // No rule of these reads style sheets, so they are not fetched again.
      preload: { assets: ['media'] },
      // Of what is in order, nothing is told.
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
    );
  });
  expect(found, name).toEqual([]);
}

/** Whether all of it is within the window, up and down. */
export function inSight(shown: Locator): Promise<boolean> {
  return shown.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

/** A picture for people to look at; kept when `SVC_SHOTS` is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.SVC_SHOTS) return;
  await still(page);
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** Chooses a field of a new item by its chip. */
export async function chooseField(page: Page, dialog: Locator, field: string, option: string): Promise<void> {
  await dialog.getByRole('button', { name: new RegExp(`^${field}`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
