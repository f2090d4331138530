/**
 * Prints how quick and how frugal the app is, with a board of 5,000 items and a log of 100,000 lines: `npm run figures`.
 * Not part of the tests: a busy machine is no bug. `ITEMS` and `LINES` make it smaller; `BUSY=8` presses the keys once more
 * beside so many busy processes.
 */
import { execFileSync, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arriving, Person } from '../harness';
import { Runner } from '../runner';
import { Counting } from './counting';
import { lighthouse } from './lighthouse';
import {
  asked,
  askedBefore,
  heapUsed,
  opened,
  painted,
  pressed,
  processorTime,
  SCROLLED,
  scrolled,
  shifted,
} from './measures';
import { figure, median, p95, printFigures, remark } from './report';

const ITEMS = Number(process.env.ITEMS ?? 5_000);
const LINES = Number(process.env.LINES ?? 100_000);
/** What most projects have at most. */
const USUAL = Math.min(800, ITEMS);
/** Processes that keep the machine busy while keys are pressed once more. */
const BUSY = Number(process.env.BUSY ?? 0);
const AT_ONCE = 48;
const BOARD = '/o/demo/p/DEMO/board';
/** Tells the size of the build in `dist`, which is the one that the server has. */
const SIZES = new URL('../../scripts/sizes.mjs', import.meta.url).pathname;

const at = arriving('/o/demo', (ada) => ada.page.getByRole('heading', { level: 1 }).waitFor());
const runner = new Runner();

let next = 0;

/** Fills the project up to so many items. */
async function fill(items: number): Promise<void> {
  const make = async () => {
    while (next < items) {
      const number = next++;
      const body = {
        type: 'task',
        title: `Item ${number} of a large project`,
        estimate: number % 8,
        labels: [`area-${number % 12}`],
      };
      await at.service.api('POST', '/orgs/demo/projects/DEMO/items', body);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
}

const FOCUS = ['j', 'j', 'j', 'k', 'j', 'j', 'k', 'j'];
const WORDS = [...'item 49 of a', ...Array(12).fill('Backspace')];

/** Presses keys on the board and in the list, and types into the filter of both. */
async function presses(when: string): Promise<void> {
  for (const screen of ['board', 'list']) {
    const { page } = at.ada;
    await page.goto(BOARD.replace('board', screen));
    await page.locator('[data-card]').first().waitFor();
    await quiet(at.ada);
    await page.locator('[data-card]').first().focus();
    const keys = await pressed(at.ada, Array(6).fill(FOCUS).flat());
    figure(`key to paint, ${screen}${when} (p95 of ${keys.length})`, p95(keys), 'ms', { most: 50 });
    await page.keyboard.press('/');
    const worked = await processorTime(at.ada);
    const typed = await pressed(at.ada, Array(2).fill(WORDS).flat());
    figure(`  processor time of a letter, ${screen}${when} (mean)`, (await worked()) / typed.length, 'ms');
    figure(`typing a filter, ${screen}${when} (p95 of ${typed.length})`, p95(typed), 'ms', { most: 50 });
  }
}

afterAll(async () => {
  await runner.stop();
  printFigures();
});

/** Milliseconds from the navigation until the first frame that has a card, by the page's own clock. */
async function interactive({ page }: Person): Promise<number> {
  await page.locator('a[data-card]').first().waitFor();
  return page.evaluate(() => (globalThis as unknown as { svcCard: number }).svcCard);
}

/** Has the pages of a person note when they show a card. To ask them from outside would add the way there and back. */
async function watched({ page }: Person): Promise<void> {
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('a[data-card]')) Object.assign(globalThis, { svcCard: performance.now() });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Waits until the page has fetched what it fetches ahead, and kept the project. */
async function quiet({ page }: Person): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('svc.warm').length > 0);
  await page.waitForTimeout(4_000);
}

/** Before the project is filled: Lighthouse judges a page as most people have it, on a processor four times as slow. */
describe('the demo’s board on a phone', () => {
  it('is judged by Lighthouse', async () => {
    const { scores, times, found } = await lighthouse(at.service, at.demo, BOARD);
    figure('Lighthouse, performance', scores.performance, '', { least: 90 });
    figure('Lighthouse, accessibility', scores.accessibility, '', { least: 100 });
    figure('Lighthouse, best practices', scores['best-practices'], '', { least: 100 });
    for (const [name, time] of Object.entries(times)) figure(`  ${name}`, time, 'ms');
    found.forEach(remark);
  }, 300_000);
});

describe(`a board of ${USUAL} items`, () => {
  beforeAll(() => fill(USUAL), 300_000);

  it('is opened in a browser that was never here', async () => {
    const times: number[] = [];
    for (let turn = 0; turn < 7; turn++) {
      const person = await Person.arrive(at.service);
      await watched(person);
      await person.enter(at.demo.email, at.demo.password, BOARD);
      times.push(await interactive(person));
      if (turn === 0) figure('requests before the first card', await askedBefore(person), '', { most: 12 });
      await person.leave();
    }
    figure(`board of ${USUAL}, never here (median of 7)`, median(times), 'ms', { most: 300 });
  }, 300_000);
});

describe(`a board of ${ITEMS} items`, () => {
  beforeAll(() => fill(ITEMS), 900_000);

  it('is opened cold and warm', async () => {
    const cold: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const person = await Person.arrive(at.service);
      await person.signIn(at.demo.email, at.demo.password, '/o/demo');
      await watched(person);
      await person.page.goto(BOARD);
      cold.push(await interactive(person));
      if (turn === 0) {
        const seen = await asked(person);
        figure('requests of a cold board', seen.requests, '', { most: 12 });
        figure('of it, until the board was answered', seen.waited, 'ms');
        figure('size of the board', seen.size, 'kB', { most: 400 });
      }
      await person.leave();
    }
    figure('board interactive, cold (median of 3)', median(cold), 'ms', { most: 1_000 });
    const { page } = at.ada;
    await watched(at.ada);
    await page.goto(BOARD);
    await interactive(at.ada);
    await quiet(at.ada);
    const warm: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await page.reload();
      warm.push(await interactive(at.ada));
    }
    figure('board interactive, warm (median of 5)', median(warm), 'ms', { most: 300 });
    figure('layout shift', await shifted(at.ada), '', { most: 0 });
  }, 300_000);

  it('answers keys while the service is slow', async () => {
    const { page } = at.ada;
    await page.goto(BOARD);
    await interactive(at.ada);
    await quiet(at.ada);
    await page.route('**/api/v1/orgs/demo/items/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue().catch(() => {});
    });
    const times: number[] = [];
    const worked = await processorTime(at.ada);
    for (let turn = 0; turn < 20; turn++) {
      await page
        .locator('[data-column="Backlog"] a[data-card]')
        .nth(turn % 3)
        .focus();
      times.push(await painted(at.ada));
    }
    figure('key to paint with 3 s of latency (p95 of 20)', p95(times), 'ms', { most: 50 });
    figure('processor time of a key press, all in all (mean)', (await worked()) / 20, 'ms');
    const heap = await page.evaluate(heapUsed);
    figure('heap of the board', heap / 1e6, 'MB', { most: 150 });
  }, 300_000);

  it('follows keys and what is typed', async () => {
    await presses('');
    if (BUSY === 0) return;
    const busy = Array.from({ length: BUSY }, () => spawn(process.execPath, ['-e', 'for (;;);']));
    await presses(`, beside ${BUSY} busy processes`).finally(() => {
      for (const one of busy) one.kill('SIGKILL');
    });
  }, 600_000);

  it('shows what others change', async () => {
    const { page } = at.ada;
    await page.goto(BOARD);
    await interactive(at.ada);
    await quiet(at.ada);
    const key = await page.locator('[data-column="Backlog"] a[data-card]').first().getAttribute('data-card');
    const times: number[] = [];
    for (let turn = 0; turn < 20; turn++) {
      const title = `Changed ${turn} ${Math.random()}`;
      const { version } = await at.service.api<{ version: number }>('GET', `/orgs/demo/items/${key}`);
      const shown = page.getByText(title).waitFor();
      const begun = performance.now();
      await at.service.api('PATCH', `/orgs/demo/items/${key}`, { version, title });
      await shown;
      times.push(performance.now() - begun);
    }
    figure('another’s change is visible (p95 of 20)', p95(times), 'ms', { most: 1_000 });
  }, 300_000);

  it('opens an item that was pointed at', async () => {
    const { page } = at.ada;
    await page.goto(BOARD);
    await interactive(at.ada);
    await quiet(at.ada);
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const card = page.locator('[data-column="Backlog"] a[data-card]').nth(turn);
      await card.hover();
      await page.waitForTimeout(2_000);
      times.push(await opened(at.ada, turn));
      await page.goBack();
      await card.waitFor();
    }
    figure('a prefetched item is open (median of 5)', median(times), 'ms', { most: 100 });
  }, 300_000);

  it('asks for little while nobody does anything', async () => {
    const { page } = at.ada;
    await page.goto(BOARD);
    await interactive(at.ada);
    await quiet(at.ada);
    let requests = 0;
    at.ada.context.on('request', (request) => {
      if (request.url().includes('/api/')) requests++;
    });
    await page.waitForTimeout(60_000);
    figure('requests in an idle minute', requests, '', { most: 5 });
  }, 300_000);
});

describe('the app', () => {
  it('is loaded, and keeps one stream for six tabs', async () => {
    const sizes = execFileSync(process.execPath, [SIZES], { encoding: 'utf8' });
    const first = Number(/first load: ([\d.]+) kB/.exec(sizes)?.[1]);
    figure('JavaScript of the first load, gzip', first, 'kB', { most: 170 });
    const counting = await Counting.before(at.service);
    const person = await Person.arrive(counting);
    await person.signIn(at.demo.email, at.demo.password, BOARD);
    for (let tab = 0; tab < 6; tab++) {
      const page = tab === 0 ? person.page : await person.context.newPage();
      await page.goto(BOARD);
      await page.locator('a[data-card]').first().waitFor();
    }
    await expect.poll(() => counting.most).toBeGreaterThan(0);
    await person.page.waitForTimeout(5_000);
    figure('streams of six tabs, at most', counting.most, '', { most: 1 });
    await person.leave();
    counting.close();
  }, 300_000);
});

describe(`a log of ${LINES} lines`, () => {
  it('is scrolled', async () => {
    runner.start(at.service, at.demo.runnerSecret, 'DEMO');
    const body = `demo-agent: lines ${LINES}`;
    const made = { type: 'task', title: 'Prints a lot', body };
    const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', made);
    const run = await at.service.api<{ id: string }>('POST', `/orgs/demo/items/${key}/runs`, {});
    const status = async () =>
      (await at.service.api<{ status: string }>('GET', `/orgs/demo/runs/${run.id}`)).status;
    await expect.poll(status, { timeout: 300_000, interval: 2_000 }).toBe('succeeded');
    const { page } = at.ada;
    await page.goto(`/o/demo/factory/runs/${run.id}`);
    const last = page.getByRole('log').getByText(`line ${LINES} of ${LINES}`, { exact: true });
    await last.waitFor({ timeout: 120_000 });
    figure('the log is at its end', await page.evaluate(() => performance.now()), 'ms');
    figure('rows of it in the document', await page.locator('[data-index]').count(), '', { most: 200 });
    const worked = await processorTime(at.ada);
    const frames = await scrolled(at.ada);
    figure('frames a second while it is scrolled', frames / SCROLLED, '', { least: 55 });
    figure('processor time of one of these frames (mean)', (await worked()) / frames, 'ms', { most: 16 });
    figure('heap of the log', (await page.evaluate(heapUsed)) / 1e6, 'MB', { most: 150 });
  }, 600_000);
});
