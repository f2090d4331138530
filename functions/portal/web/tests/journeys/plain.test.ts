/**
 * What the API asks of any other app: a page of plain JavaScript (`tests/plain/board.html`) draws a large board from three
 * requests and the stream, moves a card, and sees another's move. Prints its requests and times. The board has a thousand
 * cards, with `SVC_TEST_ALL` five thousand, or as many as `ITEMS` says.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { ALL } from '../all';
import { Person, picture, serving } from '../harness';
import { join } from '../joining';

const ITEMS = Number(process.env.ITEMS ?? (ALL ? 5_000 : 1_000));
const AT_ONCE = 48;
const PAGE = readFileSync(new URL('../plain/board.html', import.meta.url), 'utf8');

const at = serving();

beforeAll(async () => {
  let left = ITEMS;
  const make = async () => {
    while (left-- > 0) {
      const body = { type: 'task', title: `Item ${left} of a large project`, estimate: left % 8 };
      await at.service.api('POST', '/orgs/demo/projects/DEMO/items', body);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
}, 900_000);

/**
 * Followers of a project are asked for a fresh start for as long as thousands of items were changed a moment ago. What is
 * changed later is told one by one, so one more change is made until that is all there is to tell.
 */
async function untilCalm(): Promise<void> {
  const project = '/orgs/demo/projects/DEMO';
  const after = (cursor: string) =>
    at.service.api<Followed>('GET', `${project}/changes?after=${encodeURIComponent(cursor)}`);
  const again = async () => {
    await at.service.api('POST', `${project}/items`, { type: 'task', title: 'One more' });
    const { cursor } = await at.service.api<Followed>('GET', `${project}/board`);
    const first = await after(cursor);
    return first.reload || (await after(first.cursor)).reload;
  };
  await expect.poll(again, { interval: 1_000 }).toBe(false);
}

interface Followed {
  cursor: string;
  reload: boolean;
}

interface Shown {
  page: Page;
  /** Requests to the API so far, by method and path. */
  requests: string[];
}

/** Opens the plain page at the service's own address, with the session that the person has there. */
async function open({ page }: Person): Promise<Shown> {
  // What the page before still asks for is not this page's.
  await page.goto('about:blank');
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}`);
  });
  await page.route(
    ({ pathname }) => pathname === '/plain',
    (route) => route.fulfill({ contentType: 'text/html', body: PAGE }),
  );
  await page.goto('/plain?of=demo/DEMO');
  await page.waitForFunction(() => {
    const { times } = globalThis as unknown as { times?: Record<string, number> };
    return times?.drawn !== undefined && times.followed !== undefined;
  });
  return { page, requests };
}

it('a page without a framework draws the board, moves a card, and sees another’s move', async () => {
  await untilCalm();
  const ada = await Person.arrive(at.service);
  await ada.enter(at.demo.email, at.demo.password, '/o/demo');
  const eve = await join(at, 'plain@example.com', 'stakeholder');
  const [hers, eves] = [await open(ada), await open(eve)];
  const total = await hers.page.locator('li').count();
  expect(total).toBeGreaterThanOrEqual(ITEMS);
  const project = '/api/v1/orgs/demo/projects/DEMO';
  const first = [
    `GET ${project}/board`,
    `GET ${project}/changes/stream`,
    'GET /api/v1/me',
    'GET /api/v1/orgs/demo/members',
  ];
  expect([...hers.requests].sort()).toEqual(first.sort());

  const times = await hers.page.evaluate(() => (globalThis as unknown as { times: object }).times);
  const moved: number[] = [];
  const seen: number[] = [];
  for (const [mover, watcher] of [
    [hers, eves],
    [eves, hers],
    [hers, eves],
  ] as const) {
    const card = mover.page.locator('ol[data-state="Backlog"] li').first();
    const key = await card.getAttribute('data-key');
    const there = (page: Page) =>
      page.locator(`ol:not([data-state="Backlog"]) li[data-key="${key}"]`).waitFor();
    const both = [there(mover.page), there(watcher.page)];
    const begun = performance.now();
    await card.getByRole('button').click();
    await both[0];
    moved.push(performance.now() - begun);
    await both[1];
    seen.push(performance.now() - begun);
  }
  expect(hers.requests.length).toBe(first.length + 2);
  await picture(hers.page, 'plain-board');
  const whole = (all: readonly number[]) => all.map((one) => `${Math.round(one)} ms`).join(', ');
  console.log(
    `A plain page with ${total} cards: 3 requests and the stream.`,
    ...Object.entries(times).map(([name, time]) => `${name} after ${Math.round(time)} ms,`),
    `own moves shown after ${whole(moved)}, another’s after ${whole(seen)}.`,
  );
  expect(ada.complaints).toEqual([]);
  await ada.leave();
  await eve.leave();
});
