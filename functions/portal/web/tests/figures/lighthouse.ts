/**
 * What Lighthouse says of a page, as a phone of middling speed sees it. Lighthouse weighs more than all else that the app
 * is built with, so it is no dependency: npx fetches it for the figures. `LIGHTHOUSE` names a program to take instead.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { CHROMIUM } from '../chromium';
import { signIn } from '../harness';
import type { Demo, Service } from '../service';

const run = promisify(execFile);
/** The last that runs on Node.js 20. */
const PROGRAM = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

type Category = (typeof CATEGORIES)[number];

export interface Report {
  scores: Record<Category, number>;
  /** Milliseconds by the name of the measure. */
  times: {
    'first-contentful-paint': number;
    'largest-contentful-paint': number;
    'total-blocking-time': number;
  };
  /** What lost points outside of the performance, in words. */
  found: string[];
}

interface Answer {
  categories: Record<Category, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; title: string; numericValue?: number }>;
}

/** Measures a page of somebody who is signed in and comes with empty caches. */
export async function lighthouse(service: Service, demo: Demo, path: string): Promise<Report> {
  const profile = mkdtempSync(join(tmpdir(), 'svc-lighthouse-'));
  const browser = spawn(CHROMIUM, [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: 'ignore',
  });
  try {
    const port = await listening(profile, browser);
    await arrive(await chromium.connectOverCDP(`http://127.0.0.1:${port}`), service, demo);
    return reported(await asked(`${service.url}${path}`, port));
  } finally {
    const ended = new Promise((resolve) => browser.once('exit', resolve));
    browser.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true });
  }
}

const FLAGS = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--remote-debugging-port=0'];

/** The port that the browser chose. */
async function listening(profile: string, browser: ChildProcess): Promise<string> {
  const file = join(profile, 'DevToolsActivePort');
  while (!existsSync(file) || !readFileSync(file, 'utf8').includes('\n')) {
    if (browser.exitCode !== null) throw new Error(`${CHROMIUM} ended with ${browser.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return readFileSync(file, 'utf8').split('\n')[0] ?? '';
}

/** Signs in, and leaves nothing of it in the browser but the session. */
async function arrive(browser: Browser, service: Service, demo: Demo): Promise<void> {
  const page = (await browser.contexts()[0]?.newPage()) ?? (await browser.newPage());
  await signIn(page, `${service.url}/sign-in`, demo.email, demo.password);
  const session = await page.context().newCDPSession(page);
  const kept = 'cache_storage,indexeddb,service_workers,shader_cache';
  await session.send('Storage.clearDataForOrigin', { origin: service.url, storageTypes: kept });
  await session.send('Network.clearBrowserCache');
  await page.close();
  await browser.close();
}

async function asked(url: string, port: string): Promise<Answer> {
  const [program = '', ...before] = process.env.LIGHTHOUSE
    ? [process.env.LIGHTHOUSE]
    : ['npx', '--yes', PROGRAM];
  const only = `--only-categories=${CATEGORIES.join(',')}`;
  const how = [`--port=${port}`, '--disable-storage-reset', only, '--output=json', '--quiet'];
  const { stdout } = await run(program, [...before, url, ...how], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout) as Answer;
}

function reported({ categories, audits }: Answer): Report {
  const lost = CATEGORIES.slice(1).flatMap((category) =>
    categories[category].auditRefs
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${category}: ${audits[id]?.title ?? id}`),
  );
  const time = (id: keyof Report['times']) => audits[id]?.numericValue ?? Number.NaN;
  const score = (category: Category) => Math.round(100 * categories[category].score);
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
    },
    times: {
      'first-contentful-paint': time('first-contentful-paint'),
      'largest-contentful-paint': time('largest-contentful-paint'),
      'total-blocking-time': time('total-blocking-time'),
    },
    found: lost,
  };
}
