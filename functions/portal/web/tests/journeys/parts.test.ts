/**
 * Parts of the app that come late, fail for a moment, or are gone because a newer version was deployed: what is typed
 * stays, where it was typed, and the page is never loaded anew under somebody's hands.
 */
import type { Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const P = '/o/demo/p/DEMO';
const EDITOR = /\/assets\/CodeMirrorHost-/;
const at = arriving(`${P}/list`, (ada) => ada.page.locator('[data-card="DEMO-1"]').waitFor());

/** Holds every request for a file until it is let go, or answers it otherwise meanwhile. */
async function hold(page: Page, file: RegExp) {
  let asked = 0;
  let answer: ((route: Route) => Promise<void>) | undefined;
  const held: Route[] = [];
  await page.route(file, (route) => {
    asked++;
    if (answer) return answer(route);
    held.push(route);
    return undefined;
  });
  const from = async (next: (route: Route) => Promise<void>) => {
    answer = next;
    await Promise.all(held.splice(0).map(next));
  };
  return {
    asked: () => asked,
    letGo: () => from((route) => route.continue()),
    cut: () => from((route) => route.abort('internetdisconnected')),
    lose: () => from((route) => route.fulfill({ status: 404 })),
  };
}

const plain = (page: Page) => page.locator('textarea:focus');
const editor = (page: Page) => page.locator('[data-editor]');

/** The text of the editor. */
const written = (page: Page) =>
  page.evaluate(() => {
    const content = document.querySelector('[data-editor]')?.shadowRoot?.querySelector('.cm-content');
    return [...(content?.querySelectorAll('.cm-line') ?? [])].map((line) => line.textContent).join('\n');
  });

async function madeItem(body = ''): Promise<string> {
  const made = { type: 'task', title: 'Written about', body };
  const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', made);
  return `${P}/items/${key}`;
}

/** Marks the page; `stays` fails once it was loaded anew. */
async function mark(page: Page) {
  await page.evaluate(() => Object.assign(globalThis, { marked: true }));
  return async () => expect(await page.evaluate(() => 'marked' in globalThis), 'loaded anew').toBe(true);
}

describe('the editor', () => {
  let address: string;
  beforeEach(async () => {
    address = await madeItem('Middle.');
  });

  it('comes when the network is back, with what was typed in the plain field', async () => {
    const { page } = at.ada;
    const file = await hold(page, EDITOR);
    await file.cut();
    await page.goto(address);
    const stays = await mark(page);
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await plain(page).waitFor();
    await page.keyboard.type('Typed while it is away');
    await page.getByText(/part of the app/).waitFor();
    await accessible(page, 'a part that is missing');
    await picture(page, 'part-missing');
    await file.letGo();
    await editor(page).waitFor();
    await page.keyboard.type(', and after.');
    await expect.poll(() => written(page)).toBe('Typed while it is away, and after.');
    await page.getByText(/part of the app/).waitFor({ state: 'detached' });
    await stays();
    expect(at.ada.complaints).toEqual([]);
  });

  it('begins where the cursor was moved to a moment ago, before any event told of it', async () => {
    const { page } = at.ada;
    const file = await hold(page, EDITOR);
    // The browser tells of a cursor by events of later tasks. Here they come too late altogether.
    await page.addInitScript(() => {
      const late = (event: Event) => event.stopImmediatePropagation();
      for (const name of ['selectionchange', 'select', 'keyup']) addEventListener(name, late, true);
    });
    await page.goto(address);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await plain(page).waitFor();
    await page.keyboard.press('Control+Home');
    await file.letGo();
    await editor(page).waitFor();
    await page.keyboard.type('ZERO ');
    await expect.poll(() => written(page)).toBe('ZERO Middle.');
  });

  it('keeps what is selected in the plain field', async () => {
    const { page } = at.ada;
    const file = await hold(page, EDITOR);
    await page.goto(address);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await plain(page).waitFor();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await file.letGo();
    await editor(page).waitFor();
    await page.keyboard.type('Pa');
    await expect.poll(() => written(page)).toBe('Paddle.');
  });

  it('does not take the focus from where somebody went on to write', async () => {
    const { page } = at.ada;
    const file = await hold(page, EDITOR);
    await page.goto(address);
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await plain(page).waitFor();
    await page.keyboard.type('Begun');
    await page.getByRole('button', { name: 'Add subtask' }).click();
    const title = page.getByLabel('What needs to be done');
    await title.focus();
    await page.keyboard.type('Go');
    await file.letGo();
    await editor(page).waitFor();
    await page.keyboard.type(' on');
    expect(await title.inputValue()).toBe('Go on');
    expect(await written(page)).toBe('Begun');
  });

  it('waits until what an input method composes is taken', async () => {
    const { page } = at.ada;
    const devtools = await page.context().newCDPSession(page);
    const file = await hold(page, EDITOR);
    await page.goto(address);
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await plain(page).waitFor();
    const compose = (text: string) =>
      devtools.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    await compose('に');
    const came = page.waitForResponse(EDITOR);
    await file.letGo();
    await (await came).finished();
    await compose('にほ');
    await compose('にほん');
    await devtools.send('Input.insertText', { text: '日本' });
    await editor(page).waitFor();
    await page.keyboard.type('!');
    await expect.poll(() => written(page)).toBe('日本!');
  });

  it('loses nothing to a tab that is closed while it comes', async () => {
    const file = await hold(at.ada.page, EDITOR);
    const { page } = at.ada;
    await page.goto(address);
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await plain(page).waitFor();
    void file.letGo();
    await page.keyboard.type('Every letter of this');
    await page.close();
    const next = await at.ada.context.newPage();
    await next.goto(address);
    await editor(next).waitFor();
    await expect.poll(() => written(next)).toBe('Every letter of this');
  });
});

describe('a part that fails', () => {
  it('while the page looks ahead disturbs nobody', async () => {
    const { page } = at.ada;
    const file = await hold(page, /\/assets\/(palette|create|PeekPanel|merge)-/);
    await file.cut();
    await page.goto(await madeItem());
    const stays = await mark(page);
    await page.getByRole('button', { name: 'Add subtask' }).click();
    const title = page.getByLabel('What needs to be done');
    await title.fill('Typed before');
    await at.ada.warm();
    expect(file.asked()).toBeGreaterThan(0);
    expect(await title.inputValue()).toBe('Typed before');
    await stays();
    await file.letGo();
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    expect(at.ada.complaints).toEqual([]);
  });

  it('with its style is drawn with it when it is there', async () => {
    const { page } = at.ada;
    const file = await hold(page, /\/assets\/create-.*\.css/);
    await file.cut();
    await page.goto(await madeItem());
    const stays = await mark(page);
    await page.getByRole('button', { name: 'Add subtask' }).waitFor();
    await page.keyboard.press('c');
    await expect.poll(() => file.asked()).toBeGreaterThan(1);
    await file.letGo();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).waitFor();
    const styles = () =>
      page.evaluate(() => [...document.styleSheets].filter(({ href }) => href?.includes('/create-')).length);
    expect(await styles()).toBe(1);
    await stays();
  });

  it('of a screen says so, and the screen comes when it is asked for again', async () => {
    const { page } = at.ada;
    const file = await hold(page, /\/assets\/milestones-.*\.js/);
    await file.cut();
    await page.route(/:\d+\/$/, (route) => route.abort('internetdisconnected'));
    await page.getByRole('link', { name: 'Milestones' }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute(/:\d+\/$/);
    await file.letGo();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Milestones', level: 1 }).waitFor();
    expect(at.ada.complaints).toEqual([]);
  });
});

it('a screen of a version that is gone is loaded with the newer one, at its address', async () => {
  const { page } = at.ada;
  const stays = await mark(page);
  const file = await hold(page, /\/assets\/milestones-.*\.js/);
  await file.lose();
  const replaced = async (route: Route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replace(/assets\/index-/g, 'assets/newer-')
      .replace(/assets\/first-/g, 'assets/newer-');
    await route.fulfill({ response, body });
  };
  await page.route(/:\d+\/$/, replaced);
  // From the next load on, the files are those of the newer version.
  page.on('request', (request) => request.isNavigationRequest() && void file.letGo());
  await stays();
  const loaded = page.waitForEvent('load');
  await page.getByRole('link', { name: 'Milestones' }).click();
  await loaded;
  await page.getByRole('heading', { name: 'Milestones', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`${P}/milestones`);
  expect(await page.evaluate(() => 'marked' in globalThis)).toBe(false);
});
