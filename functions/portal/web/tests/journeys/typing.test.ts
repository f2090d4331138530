/**
 * What is typed: no letter is lost while the plain field gives way to the editor, nor when the page is reloaded, and undo
 * in a field belongs to the field.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { arriving } from '../harness';

const at = arriving('/o/demo/p/DEMO/items/DEMO-1', (ada) =>
  ada.page.getByText('As a visitor I want').waitFor(),
);

interface Typed {
  typed: string;
  shown: string;
}

/**
 * Runs in the page: opens a field by its button, then types a letter in every task of the page until the editor has stood
 * for a while. `execCommand` types as a keyboard does, and nothing but the page's own tasks fits between two letters.
 */
function typeThrough(opener: string): Promise<Typed> {
  const AFTERWARDS = 40;
  const buttons = [...document.querySelectorAll('button')] as HTMLElement[];
  buttons.find(({ textContent }) => textContent?.trim() === opener)?.click();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const content = () => document.querySelector('[data-editor]')?.shadowRoot?.querySelector('.cm-content');
    const deadline = performance.now() + 120_000;
    // Now and then the page's timers have their turn too.
    const again = () =>
      typed.length % 5 ? port2.postMessage(undefined) : setTimeout(() => port2.postMessage(undefined));
    let typed = '';
    let left = AFTERWARDS;
    port1.onmessage = () => {
      if (content()) left--;
      const letter = String.fromCharCode(97 + (typed.length % 26));
      if (left > 0 && document.execCommand('insertText', false, letter)) typed += letter;
      // What the page still does with the last letters.
      if (left > -AFTERWARDS && performance.now() < deadline) again();
      else setTimeout(() => resolve({ typed, shown: content()?.textContent ?? '' }), 500);
    };
    again();
  });
}

/** Three times, because each change-over falls differently. What is typed once is there as a draft the next time. */
async function keepsAll(page: Page, addresses: readonly string[], opener: string): Promise<void> {
  for (const address of addresses) {
    await page.goto(address);
    await page.getByRole('button', { name: opener, exact: true }).waitFor();
    const { typed, shown } = await page.evaluate(typeThrough, opener);
    expect(typed.length).toBeGreaterThanOrEqual(39);
    expect(shown.endsWith(typed), `${shown} does not end with ${typed}`).toBe(true);
  }
}

async function madeItem(): Promise<string> {
  const made = { type: 'task', title: 'Written about' };
  const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', made);
  return `/o/demo/p/DEMO/items/${key}`;
}

it('a comment keeps every letter', async () => {
  const items = [await madeItem(), await madeItem(), await madeItem()];
  await keepsAll(at.ada.page, items, 'Write a comment…');
});

it('a description keeps every letter', async () => {
  await keepsAll(at.ada.page, Array(3).fill('/o/demo/p/DEMO/items/DEMO-1'), 'Edit');
});

it('a page of the wiki keeps every letter', async () => {
  await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Typed', { body: 'Before.' });
  await keepsAll(at.ada.page, Array(3).fill('/o/demo/p/DEMO/wiki/Typed'), 'Edit');
});

/** Presses keys for as long as this, with no pause between them, and reloads the page at the last one. */
async function typeAndReload(page: Page, milliseconds: number): Promise<string> {
  const end = Date.now() + milliseconds;
  let typed = '';
  for (let word = 1; Date.now() < end; word++) {
    await page.keyboard.type(`word${word} `, { delay: 25 });
    typed += `word${word} `;
  }
  await page.keyboard.type('end');
  await page.reload();
  return `${typed}end`;
}

describe('what is typed when the page is reloaded', () => {
  const SIX_SECONDS = 6_000;

  /** Opens an address in a tab of its own. */
  async function open(address: string): Promise<Page> {
    const page = await at.ada.context.newPage();
    await page.goto(address);
    return page;
  }

  /** The text of the editor on the page. */
  const written = (page: Page) =>
    page.evaluate(
      () => document.querySelector('[data-editor]')?.shadowRoot?.querySelector('.cm-content')?.textContent,
    );

  async function comment(): Promise<void> {
    const page = await open(await madeItem());
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await page.locator('[data-editor]').waitFor();
    const typed = await typeAndReload(page, SIX_SECONDS);
    await expect.poll(() => written(page)).toBe(typed);
  }

  async function description(): Promise<void> {
    const page = await open(await madeItem());
    await page.getByRole('button', { name: 'Add a description' }).click();
    await page.locator('[data-editor]').waitFor();
    const typed = await typeAndReload(page, SIX_SECONDS);
    await page.getByRole('button', { name: 'Add a description' }).click();
    await expect.poll(() => written(page)).toBe(typed);
  }

  async function wikiPage(): Promise<void> {
    await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Reloaded', { body: '' });
    const page = await open('/o/demo/p/DEMO/wiki/Reloaded?edit=1');
    await page.locator('[data-editor]').waitFor();
    await page.getByRole('textbox', { name: 'Text of the page, Markdown' }).click();
    const typed = await typeAndReload(page, SIX_SECONDS);
    await expect.poll(() => written(page)).toBe(typed);
  }

  async function newItem(): Promise<void> {
    const page = await open('/o/demo/p/DEMO/board');
    await page.locator('a[data-card="DEMO-1"]').waitFor();
    await page.keyboard.press('c');
    const title = page.getByRole('dialog').getByRole('textbox', { name: 'Title' });
    await title.focus();
    const typed = await typeAndReload(page, 500);
    await page.locator('a[data-card="DEMO-1"]').waitFor();
    await page.keyboard.press('c');
    await expect.poll(() => title.inputValue()).toBe(typed);
  }

  async function title(): Promise<void> {
    const page = await open(await madeItem());
    await page.getByRole('button', { name: /Edit the title/ }).click();
    await page.keyboard.press('Control+a');
    const typed = await typeAndReload(page, 500);
    await expect.poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe(typed);
  }

  // Each waits for its own keys, so that they can have them at the same time.
  it('is there again: comment, description, page, new item, title', async () => {
    await Promise.all([comment(), description(), wikiPage(), newItem(), title()]);
  });

  it('stays sent when it was sent at the last moment', async () => {
    const { page } = at.ada;
    const item = await madeItem();
    await page.goto(item);
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await page.locator('[data-editor]').waitFor();
    await page.keyboard.type('Sent and gone');
    await page.keyboard.press('Control+Enter');
    await page.reload();
    await page.getByRole('article').getByText('Sent and gone').waitFor();
    await page.getByRole('button', { name: 'Write a comment…' }).waitFor();
    const comments = `/orgs/demo/items/${item.split('/').at(-1)}/comments`;
    const sent = async () => (await at.service.api<{ items: unknown[] }>('GET', comments)).items.length;
    await expect.poll(sent).toBe(1);
  });
});

describe('undo', () => {
  const priority = (page: Page) => page.locator('[data-property=priority]');

  it('in a field takes back what was typed there, and only outside of fields the last change', async () => {
    const { page } = at.ada;
    await page.goto(await madeItem());
    await priority(page).getByText('Medium').waitFor();
    await page.keyboard.press('p');
    await page.getByRole('option', { name: 'Lowest' }).click();
    await priority(page).getByText('Lowest').waitFor();

    await page.getByRole('button', { name: /Edit the title/ }).click();
    const title = page.getByRole('textbox', { name: 'Title' });
    await undoes(page, title);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => title.inputValue()).toContain('gree');
    await page.keyboard.press('Escape');
    expect(await priority(page).innerText()).toContain('Lowest');

    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog').getByRole('combobox');
    await undoes(page, palette);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    expect(await priority(page).innerText()).toContain('Lowest');

    await page.locator('body').click({ position: { x: 1, y: 1 } });
    await page.keyboard.press('Control+z');
    await priority(page).getByText('Medium').waitFor();
  });

  it('in the filter takes back what was typed there', async () => {
    const { page } = at.ada;
    await page.goto('/o/demo/p/DEMO/list');
    const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', {
      type: 'task',
      title: 'Greeted in the list',
    });
    await page.locator(`[data-card="${key}"]`).focus();
    await page.keyboard.press('p');
    await page.getByRole('option', { name: 'Lowest' }).click();
    const item = () => at.service.api<{ priority: string }>('GET', `/orgs/demo/items/${key}`);
    await expect.poll(async () => (await item()).priority).toBe('lowest');
    const filter = page.getByRole('combobox', { name: 'Filter' });
    await undoes(page, filter);
    await filter.blur();
    await page.keyboard.press('Control+z');
    // The one change is taken back only now: it was still there to be taken back.
    await expect.poll(async () => (await item()).priority).toBe('medium');
  });

  /** Types in a field and takes it back; how many letters at once is the browser's. */
  async function undoes(page: Page, field: Locator): Promise<void> {
    await field.focus();
    await page.keyboard.type('gree');
    await expect.poll(() => field.inputValue()).toContain('gree');
    await page.keyboard.press('Control+z');
    await expect.poll(() => field.inputValue()).not.toContain('gree');
  }
});

describe('what an input method composes', () => {
  /** Composes a letter in the field that has the focus, and presses a key before it is taken. */
  async function composeAndPress(page: Page, key: string): Promise<void> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await page.keyboard.press(key);
    await devtools.detach();
  }

  it('stays when Escape or Enter is pressed on the way', async () => {
    const { page } = at.ada;
    await page.getByRole('button', { name: 'Add subtask' }).click();
    const title = page.getByLabel('What needs to be done');
    await title.focus();
    await composeAndPress(page, 'Escape');
    expect(await title.inputValue()).toBe('に');
    await page.getByRole('button', { name: 'Link a pull request' }).click();
    const address = page.getByLabel('Address of the pull request');
    await address.focus();
    await composeAndPress(page, 'Escape');
    expect(await address.inputValue()).toBe('に');
    await page.goto('/o/demo/p/DEMO/list');
    const filter = page.getByRole('combobox', { name: /filter/i });
    await filter.focus();
    await composeAndPress(page, 'Enter');
    expect(await filter.inputValue()).toBe('に');
    await composeAndPress(page, 'Escape');
    await expect.poll(() => filter.evaluate((field) => field === document.activeElement)).toBe(true);
  });
});

describe('what is pasted', () => {
  interface Pasted {
    text: string;
    html?: string;
    file: string;
  }

  /** Runs in the page: pastes into the editor what a program put on the clipboard. */
  function paste({ text, html, file }: Pasted): void {
    const ONE_DOT =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const picture = Uint8Array.from(atob(ONE_DOT), (byte) => byte.charCodeAt(0));
    const clipboardData = new DataTransfer();
    if (text) clipboardData.setData('text/plain', text);
    if (html) clipboardData.setData('text/html', html);
    clipboardData.items.add(new File([picture], file, { type: 'image/png' }));
    const content = document.querySelector('[data-editor]')?.shadowRoot?.querySelector('.cm-content');
    const init = { clipboardData, bubbles: true, cancelable: true, composed: true };
    content?.dispatchEvent(new ClipboardEvent('paste', init));
  }

  it('is the text where a picture of it comes along, and a file where there is nothing more', async () => {
    const { page } = at.ada;
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await page.locator('[data-editor]').waitFor();
    const field = page.getByRole('textbox', { name: 'Write a comment…' });
    const sheet = { text: 'Q1\t40\nQ2\t50', html: '<table><td>Q1</table>', file: 'image.png' };
    await page.evaluate(paste, sheet);
    await expect.poll(() => field.innerText()).toContain('Q1\t40');
    expect(await field.innerText()).toContain('Q2\t50');
    await page.evaluate(paste, { text: '', html: '<img src="https://x.example/a.png">', file: 'image.png' });
    await expect.poll(() => field.innerText()).toContain('![image.png](');
    await page.evaluate(paste, { text: 'holiday.png', file: 'holiday.png' });
    await expect.poll(() => field.innerText()).toContain('![holiday.png](');
    expect((await field.innerText()).match(/!\[image/g)).toHaveLength(1);
  });
});
