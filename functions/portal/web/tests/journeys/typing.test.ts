/** What is typed while the plain field gives way to the editor: no letter is lost at any point of the change-over. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
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
