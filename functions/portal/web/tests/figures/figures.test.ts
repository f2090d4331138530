/**
 * Prints how quick and how frugal the app is, with a board of 5,000 items and a log of 100,000 lines: `npm run figures`.
 * Not part of the tests: a busy machine is no bug. `ITEMS` and `LINES` make it smaller.
 */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arriving, Person } from '../harness';
import { Runner } from '../runner';
import { Counting } from './counting';
import { lighthouse } from './lighthouse';
import { figure, median, p95, printFigures, remark } from './report';

const ITEMS = Number(process.env.ITEMS ?? 5_000);
const LINES = Number(process.env.LINES ?? 100_000);
const AT_ONCE = 48;
const BOARD = '/o/demo/p/DEMO/board';
/** Tells the size of the build in `dist`, which is the one that the server has. */
const SIZES = new URL('../../scripts/sizes.mjs', import.meta.url).pathname;

const at = arriving('/o/demo', (ada) => ada.page.getByRole('heading', { level: 1 }).waitFor());
const runner = new Runner();

/** Fills the project. */
async function fill(): Promise<void> {
  let next = 0;
  const make = async () => {
    while (next < ITEMS) {
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

describe(`a board of ${ITEMS} items`, () => {
  beforeAll(fill, 900_000);

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
    figure('JavaScript of the first load, gzip', first, 'kB', { most: 180 });
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

/** What the page asked the service for so far, and how long the board took of it. */
function asked({ page }: Person): Promise<{ requests: number; waited: number; size: number }> {
  return page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const api = all.filter(({ name }) => name.includes('/api/'));
    const board = api.find(({ name }) => name.endsWith('/board'));
    const waited = (board?.responseStart ?? 0) - (board?.requestStart ?? 0);
    return { requests: api.length, waited, size: (board?.encodedBodySize ?? 0) / 1000 };
  });
}

/** Milliseconds from the key that moves a card until the frame with the moved card is drawn. */
function painted({ page }: Person): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const begun = performance.now();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - begun);
        const key = { key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
        // The next task after a frame's callbacks comes when the frame is drawn.
        requestAnimationFrame(() => port2.postMessage(undefined));
      }),
  );
}

/** Begins to count how long the page's main thread works, which a busy machine changes little. Answers milliseconds. */
async function processorTime({ context, page }: Person): Promise<() => Promise<number>> {
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const begun = await read();
  return async () => (await read()) - begun;
}

/** Milliseconds from a press on a card until its description is drawn. */
function opened({ page }: Person, card: number): Promise<number> {
  return page.evaluate(
    (at) =>
      new Promise<number>((resolve) => {
        const cards = document.querySelectorAll<HTMLElement>('[data-column="Backlog"] a[data-card]');
        const begun = performance.now();
        const look = () => {
          if (location.pathname.includes('/items/') && document.querySelector('main h1'))
            requestAnimationFrame(() => resolve(performance.now() - begun));
          else requestAnimationFrame(look);
        };
        cards[at]?.click();
        look();
      }),
    card,
  );
}

/** How much the page moved under the reader, after the measure of the same name. */
function shifted({ page }: Person): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 500);
      }),
  );
}

/** So many seconds the log is scrolled. */
const SCROLLED = 3;

/** Frames while the log is scrolled, up and down in steps of a wheel. */
function scrolled({ page }: Person): Promise<number> {
  return page.evaluate(
    (seconds) =>
      new Promise<number>((resolve) => {
        const row = document.querySelector('[data-index]');
        let box = row?.parentElement ?? null;
        while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
        const begun = performance.now();
        let frames = 0;
        const step = () => {
          frames++;
          box?.scrollBy(0, frames % 120 < 60 ? -240 : 180);
          const passed = performance.now() - begun;
          if (passed < seconds * 1000) requestAnimationFrame(step);
          else resolve(frames);
        };
        requestAnimationFrame(step);
      }),
    SCROLLED,
  );
}

/** Runs in the page: bytes of its heap. */
function heapUsed(): number {
  return (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0;
}
