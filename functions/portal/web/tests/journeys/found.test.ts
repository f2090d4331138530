/** Items are found from everywhere: the palette, the search page, and `#` in a text. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const P = '/o/demo/p/DEMO';
const at = arriving(`${P}/board`, (ada) => ada.card('DEMO-1').waitFor());

const say = (key: string, body: string) =>
  at.service.api<{ id: string }>('POST', `/orgs/demo/items/${key}/comments`, { body });

describe('the palette', () => {
  it('leads to an item by its key, a part of its title, and to commands', async () => {
    const { page } = at.ada;
    const box = page.getByRole('combobox', { name: 'Commands and search' });
    await page.keyboard.press('Control+k');
    await box.fill('demo-3');
    await page
      .getByRole('option', { name: /DEMO-3/ })
      .first()
      .waitFor();
    await box.fill('cut off');
    await page
      .getByRole('option', { name: /DEMO-2/ })
      .first()
      .waitFor();
    await accessible(page, 'the palette');
    await box.fill('> wiki');
    await page.getByRole('option', { name: /Wiki/ }).first().waitFor();
    expect(await page.getByRole('option', { name: /DEMO-/ }).count()).toBe(0);
    await box.fill('demo-3');
    await page
      .getByRole('option', { name: /DEMO-3/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${P}/items/DEMO-3`);
    expect(at.ada.complaints).toEqual([]);
  });
});

describe('the focus', () => {
  /** Opens something by keys, waits until it has the focus, and closes it. */
  async function openAndLeave(page: Page, keys: string) {
    await page.keyboard.press(keys);
    await page.getByRole('dialog').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null))
      .toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  }

  it('goes back to what had it, or on to what was opened', async () => {
    const { page } = at.ada;
    const card = at.ada.card('DEMO-1');
    const focused = (what: Locator) => what.evaluate((element) => element === document.activeElement);
    await card.focus();
    for (const keys of ['Control+k', 'c', '?']) {
      await openAndLeave(page, keys);
      await expect.poll(() => focused(card), { message: keys }).toBe(true);
    }
    const button = page.getByRole('button', { name: 'Commands and search' });
    await button.click();
    await page.getByRole('combobox', { name: 'Commands and search' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(button)).toBe(true);
    const help = page.getByRole('button', { name: 'Help' });
    await help.click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(help)).toBe(true);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands and search' }).fill('demo-3');
    await page
      .getByRole('option', { name: /DEMO-3/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${P}/items/DEMO-3`);
    await expect.poll(() => focused(page.getByRole('heading', { level: 1 }))).toBe(true);
    await page.reload();
    await page.getByRole('button', { name: /^Edit the title/ }).waitFor();
    await openAndLeave(page, 'Control+k');
    await expect.poll(() => page.locator('main:focus-within').count()).toBe(1);
  });

  it('goes back after an item was created', async () => {
    const { page } = at.ada;
    const card = at.ada.card('DEMO-1');
    await card.focus();
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Focus goes back');
    await page.keyboard.press('Enter');
    await page.getByText('Focus goes back').first().waitFor();
    await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('the search page', () => {
  it('finds words in comments, and leads to the comment', async () => {
    const { page } = at.ada;
    const { id } = await say('DEMO-2', 'The zeppelin lands on Tuesday.');
    const found = page.getByRole('link', { name: /zeppelin/ });
    await page.goto('/o/demo/search');
    await page.getByText('Type to search.').waitFor();
    // What was written last is found within two seconds.
    await expect
      .poll(async () => {
        await page.goto('/o/demo/search?q=zeppelin&types=comments');
        await page
          .getByText(/zeppelin/)
          .first()
          .waitFor();
        return found.count();
      })
      .toBe(1);
    await page.locator('mark', { hasText: 'zeppelin' }).waitFor();
    await accessible(page, 'search results');
    await picture(page, 'search');
    await page.getByRole('tab', { name: 'Pages' }).click();
    await page.getByText('Nothing matches "zeppelin".').waitFor();
    await page.getByRole('tab', { name: 'Comments 1' }).waitFor();
    await page.getByRole('tab', { name: 'Everything' }).click();
    await found.click();
    await page.waitForURL(`**/items/DEMO-2#${id}`);
    await page.getByText('The zeppelin lands on Tuesday.').waitFor();
    expect(at.ada.complaints).toEqual([]);
  });
});

describe('many results', () => {
  it('are counted by kind, and promise no number that is not known', async () => {
    const { page } = at.ada;
    for (let n = 0; n < 55; n++) await say('DEMO-3', `Airship ${n} is late.`);
    await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Airships', {
      body: 'An airship floats.',
    });
    await expect
      .poll(async () => {
        await page.goto('/o/demo/search?q=airship');
        await page.getByText(/^The first 50 results/).waitFor();
        return page.getByRole('tab', { name: 'Comments 55' }).count();
      })
      .toBe(1);
    await page.getByRole('tab', { name: 'Pages 1' }).waitFor();
    await picture(page, 'search-many');
    expect(at.ada.complaints).toEqual([]);
  });
});

describe('a text', () => {
  it('completes items after #, and links what it names', async () => {
    const { page } = at.ada;
    await page.goto(`${P}/items/DEMO-1`);
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    const box = page.getByRole('textbox', { name: 'Write a comment…' });
    await box.waitFor();
    // The plain field, which takes what is typed until the editor is there, completes nothing.
    await page.locator('[data-editor]').waitFor();
    await page.keyboard.type('See #cut');
    await page.getByRole('option', { name: /DEMO-2/ }).waitFor();
    await page.getByRole('option', { name: /DEMO-2/ }).click();
    await expect.poll(() => box.textContent()).toContain('See DEMO-2');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').getByRole('link', { name: 'DEMO-2' }).click();
    await page.waitForURL(`**${P}/items/DEMO-2`);
    expect(at.ada.complaints).toEqual([]);
  });

  it('completes what is pressed in the moment in which more is typed', async () => {
    const { page } = at.ada;
    await page.goto(`${P}/items/DEMO-3`);
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    const box = page.getByRole('textbox', { name: 'Write a comment…' });
    await page.locator('[data-editor]').waitFor();
    // No other item has these letters: a list above the cursor that became shorter would move from under the mouse.
    await page.keyboard.type('See #cut');
    await page.getByRole('option', { name: /DEMO-2/ }).hover();
    await page.keyboard.press(' ');
    await page.mouse.down();
    await page.mouse.up();
    await expect.poll(() => box.textContent()).toBe('See DEMO-2 ');
    expect(at.ada.complaints).toEqual([]);
  });
});
