/** Journey 8: an item's life, and that nothing typed is lost. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';
import { join } from '../joining';

const at = arriving('/o/demo/p/DEMO/items/DEMO-1', (ada) =>
  ada.page.getByText('As a visitor I want').waitFor(),
);

/** Links the item of the page with another one, by keys alone. */
async function link(page: Page, kind: string, words: string, key: string): Promise<void> {
  await page.keyboard.press('Shift+L');
  const box = page.getByRole('dialog').getByRole('combobox');
  await box.waitFor();
  await page.keyboard.type(kind);
  await accessible(page, 'how items are linked');
  await page.keyboard.press('Enter');
  await page.getByPlaceholder('Key or words of the title').fill(words);
  await page.getByRole('option', { name: new RegExp(key) }).waitFor();
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await accessible(page, 'which item is linked');
  await page.keyboard.press('Enter');
}

const HOSTILE = `<img src=x onerror=alert(1)> \u202Egnp.exe \u200B${'x'.repeat(200)}`;

describe('an item', () => {
  it('is edited: title, description, properties', async () => {
    const { page } = at.ada;
    await accessible(page, 'item');
    await picture(page, 'item');
    await page.getByRole('button', { name: /Edit the title/ }).click();
    await page.keyboard.press('End');
    await page.keyboard.type(', please');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Greet people by name, please/ }).waitFor();
    await page.keyboard.press('e');
    await page.locator('[data-editor]').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nAnd **bold** too.');
    await accessible(page, 'editor');
    await page.keyboard.press('Control+Enter');
    await page.locator('strong', { hasText: 'bold' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Edit');
    await page.keyboard.press('p');
    await page.getByRole('option', { name: 'Lowest' }).click();
    await page.getByRole('button', { name: /Priority: Lowest/ }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText(/changed the description/).waitFor();
    await accessible(page, 'history');
    expect(at.ada.complaints).toEqual([]);
  });

  it('keeps the title of another person, and says so', async () => {
    const { page } = at.ada;
    const made = { type: 'task', title: 'As it was' };
    const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', made);
    const item = `/orgs/demo/items/${key}`;
    const read = () => at.service.api<{ title: string; version: number }>('GET', item);
    const title = async () => (await read()).title;
    const rename = async (title: string) => {
      await at.service.api('PATCH', item, { title, version: (await read()).version });
      await page.waitForFunction((told) => document.title.includes(told), title);
    };
    const field = page.getByRole('textbox', { name: 'Title' });
    await page.goto(`/o/demo/p/DEMO/items/${key}`);

    // What was not changed does not bring the older title back.
    await page.getByRole('button', { name: /Edit the title/ }).click();
    await rename('Theirs');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit the title: Theirs', exact: true }).waitFor();

    await page.getByRole('button', { name: /Edit the title/ }).click();
    await field.fill('Mine');
    await at.ada.drafted('Mine');
    await rename('Theirs again');
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe('Mine');
    await field.press('Enter');
    await page.getByText(/Somebody changed title of DEMO-\d+ first: it is Theirs again now/).waitFor();
    expect(await title()).toBe('Theirs again');
    await expect.poll(() => field.inputValue()).toBe('Mine');
    await field.press('Enter');
    await expect.poll(title).toBe('Mine');

    // Undo is no way around it.
    await page.getByRole('button', { name: 'Edit the title: Mine', exact: true }).waitFor();
    await rename('Theirs at last');
    await page.locator('h1').focus();
    await page.keyboard.press('Control+z');
    await page.getByText(/it is Theirs at last now/).waitFor();
    expect(await title()).toBe('Theirs at last');
    await page.getByRole('button', { name: /^Set / }).last().click();
    await expect.poll(title).not.toBe('Theirs at last');
    await expect.poll(() => field.count()).toBe(0);
  });

  it('is talked about: comment, reply, reaction, edit', async () => {
    const { page } = at.ada;
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await page.getByRole('textbox', { name: 'Write a comment…' }).waitFor();
    await page.keyboard.type('First **thought**');
    await page.keyboard.press('Control+Enter');
    const comment = page.getByRole('article', { name: 'Demo Owner' }).first();
    await comment.locator('strong', { hasText: 'thought' }).waitFor();
    await comment.hover();
    await comment.getByRole('button', { name: 'React' }).click();
    await page.getByRole('button', { name: '🎉' }).click();
    await comment.getByRole('button', { name: /🎉 1 by Demo Owner/ }).waitFor();
    await comment.getByRole('button', { name: 'Reply' }).click();
    await page.getByRole('textbox', { name: /Reply to/ }).waitFor();
    await page.keyboard.type('A reply');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').getByText('A reply').waitFor();
    await accessible(page, 'comments');
    await picture(page, 'item-comments');
  });

  it('keeps what another tab wrote in a comment that is being edited', async () => {
    const { page } = at.ada;
    const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', {
      type: 'task',
      title: 'Two tabs',
    });
    const comments = `/orgs/demo/items/${key}/comments`;
    const { id } = await at.service.api<{ id: string }>('POST', comments, { body: 'One\n\nTwo\n\nThree' });
    const read = () => at.service.api<{ body: string; version: number }>('GET', `${comments}/${id}`);
    await page.goto(`/o/demo/p/DEMO/items/${key}`);
    const comment = page.getByRole('article', { name: 'Demo Owner' }).first();
    const edit = async (typed: string) => {
      await comment.hover();
      await comment.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Edit' }).waitFor();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(typed);
    };
    const elsewhere = async (from: string, to: string) => {
      const { body, version } = await read();
      await at.service.api('PATCH', `${comments}/${id}`, { version, body: body.replace(from, to) });
    };
    await edit(' mine');
    await elsewhere('One', 'One theirs');
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await read()).body).toBe('One theirs\n\nTwo\n\nThree mine');

    // Of the same line both texts come back, to be put together.
    await edit(' again');
    await elsewhere('Three mine', 'Three theirs');
    await page.keyboard.press('Control+Enter');
    const field = page.getByRole('textbox', { name: 'Edit' });
    await expect.poll(() => field.innerText()).toContain('Three theirs');
    await field.press('Control+Enter');
    await expect.poll(async () => (await read()).body).toContain('Three mine again');
    expect((await read()).body).toContain('Three theirs');
  });

  it('is claimed, linked, watched, and given subtasks and files', async () => {
    const { page } = at.ada;
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByText(/You claimed it 1 minute ago/).waitFor();
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByText('Nobody works on it.').waitFor();
    await page.getByRole('button', { name: 'Link a pull request' }).click();
    await page.getByLabel('Address of the pull request').fill('https://code.example/acme/app/pull/7');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'code.example/acme/app/pull/7' }).waitFor();
    // Whoever made an item watches it.
    await page.getByRole('button', { name: 'Stop watching' }).click();
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('button', { name: 'Stop watching' }).waitFor();
    await page.getByRole('button', { name: 'Add subtask' }).click();
    await page.getByLabel('What needs to be done').fill('A small part');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /A small part/ }).waitFor();
    const files = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
    await page.locator('input[type=file]').setInputFiles(files);
    await page.getByRole('link', { name: /notes.txt/ }).waitFor();
    await picture(page, 'item-full');
  });

  it('is linked with others by keys, waits for what blocks it, and is free again', async () => {
    const { page } = at.ada;
    const make = (title: string) =>
      at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', { type: 'task', title });
    const { key: item } = await make('Needs a foundation');
    const { key: first } = await make(`Lay the foundation ${'that carries all the rest '.repeat(4)}`);
    const { key: twin } = await make('Foundation is needed');
    await page.goto(`/o/demo/p/DEMO/items/${item}`);
    const links = page.getByRole('region', { name: 'Linked items' });
    await links.waitFor();
    await link(page, 'blocked', 'lay the found', first);
    await links.getByRole('link', { name: new RegExp(first) }).waitFor();
    await page.getByText(`until ${first} is done`).waitFor();
    expect(await page.getByLabel('Blocked').isDisabled()).toBe(true);
    await link(page, 'duplicates', twin, twin);
    await links.getByRole('heading', { name: 'Duplicates' }).waitFor();
    const room = await links.boundingBox();
    expect((room?.x ?? 0) + (room?.width ?? 0)).toBeLessThanOrEqual(1440);
    await accessible(page, 'linked items');
    await picture(page, 'item-links');
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText(`linked it: blocked by ${first}`).waitFor();
    await page.goto('/o/demo/p/DEMO/board');
    await at.ada.card(item).getByRole('img', { name: 'Blocked' }).waitFor();
    await page.goto('/o/demo/p/DEMO/list');
    await page.locator(`[data-card="${item}"]`).getByRole('img', { name: 'Blocked' }).waitFor();
    await picture(page, 'list-blocked');
    await page.goto(`/o/demo/p/DEMO/items/${first}`);
    await links.getByRole('heading', { name: 'Blocks' }).waitFor();
    await links.getByRole('link', { name: new RegExp(item) }).click();
    await links.getByRole('button', { name: `Remove the link with ${first}` }).click();
    await links.getByRole('link', { name: new RegExp(first) }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Blocked').isDisabled()).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await links.getByRole('link', { name: new RegExp(first) }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('summary').filter({ hasText: 'Properties:' }).click();
    await links.scrollIntoViewIfNeeded();
    await accessible(page, 'linked items on a phone');
    await picture(page, 'item-links-phone');
    expect(at.ada.complaints).toEqual([]);
  });

  it('says how many links one cannot see, and ends them', async () => {
    const make = (project: string, title: string) =>
      at.service.api<{ key: string }>('POST', `/orgs/demo/projects/${project}/items`, {
        type: 'task',
        title,
      });
    await at.service.api('POST', '/orgs/demo/projects', { key: 'SEC', name: 'Hidden work' });
    const { key } = await make('DEMO', 'Linked with the unseen');
    for (const type of ['blockedBy', 'relates']) {
      const { key: item } = await make('SEC', `Unseen, ${type}`);
      await at.service.api('POST', `/orgs/demo/items/${key}/links`, { type, item });
    }
    const eve = await join(at, 'unseeing@example.com', 'stakeholder');
    const { page } = eve;
    await page.goto(`/o/demo/p/DEMO/items/${key}`);
    const links = page.getByRole('region', { name: 'Linked items' });
    await links.getByText('2 links that you cannot see.').waitFor();
    await expect.poll(() => page.getByLabel('Blocked', { exact: true }).isChecked()).toBe(true);
    await page.getByText('perhaps until an item that you do not see is done').waitFor();
    await links.getByRole('button', { name: 'Remove the 2 links that you cannot see' }).click();
    await page
      .getByRole('dialog')
      .getByText(/no longer waits/)
      .waitFor();
    await accessible(page, 'hidden links');
    await picture(page, 'item-hidden-links');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await links.getByText('that you cannot see').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Blocked', { exact: true }).isChecked()).toBe(false);
    expect(await page.content()).not.toContain('Unseen,');
    await eve.leave();
  });

  it('says before a comment is sent what its mention starts', async () => {
    const { page } = at.ada;
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await page.getByRole('textbox', { name: 'Write a comment…' }).waitFor();
    await page.keyboard.type('@Builder please ');
    await page.getByText('Starts Implement by Builder.').waitFor();
    await accessible(page, 'what a comment starts');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByText('Starts Implement by Builder.').waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Write a comment…' }).waitFor();
  });

  it('gives the name of its branch to copy, as the service names it', async () => {
    const { page, context } = at.ada;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { branch } = await at.service.api<{ branch: string }>('GET', '/orgs/demo/items/DEMO-1');
    await page.getByRole('button', { name: 'Copy branch name' }).click();
    await page.getByText(`Copied ${branch}`).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(branch);
  });

  it('keeps what was typed when the tab is closed', async () => {
    const { page } = at.ada;
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await page.getByRole('textbox', { name: 'Write a comment…' }).waitFor();
    await page.keyboard.type('Not sent yet');
    await page.close({ runBeforeUnload: false });
    const again = await at.ada.context.newPage();
    await again.goto('/o/demo/p/DEMO/items/DEMO-1');
    await again.getByText('Not sent yet').waitFor();
  });

  it('shows hostile titles as text', async () => {
    const made = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', {
      type: 'bug',
      title: HOSTILE.replace(/[\u200B\u202E]/g, '').slice(0, 250),
    });
    const { page } = at.ada;
    for (const path of [`items/${made.key}`, 'board', 'list']) {
      await page.goto(`/o/demo/p/DEMO/${path}`);
      await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    expect(at.ada.complaints).toEqual([]);
  });

  it('that is hidden or gone is said in the same words', async () => {
    const { page } = at.ada;
    for (const path of [
      '/o/demo/p/DEMO/items/DEMO-999',
      '/o/nope/p/DEMO/board',
      '/o/demo/p/NOPE/board',
      '/o/demo/nothing',
    ]) {
      await page.goto(path);
      await page.getByText('This does not exist, or you may not see it.').waitFor();
    }
  });
});

describe('a text', () => {
  it('is shown before it is sent, and its tasks are ticked where they are read', async () => {
    const made = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', {
      type: 'task',
      title: 'Has tasks',
      body: '- [ ] first\n- [ ] second',
    });
    const { page } = at.ada;
    await page.goto(`/o/demo/p/DEMO/items/${made.key}`);
    await page.getByRole('checkbox', { name: 'second' }).check();
    // The page has the description as the service has it now.
    await page.locator('input[data-task="1"][checked]').waitFor();
    const body = async () =>
      (await at.service.api<{ body: string }>('GET', `/orgs/demo/items/${made.key}`)).body;
    await expect.poll(body).toBe('- [ ] first\n- [x] second');
    await page.keyboard.press('e');
    await page.locator('[data-editor]').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' and **third**');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview' }).locator('strong', { hasText: 'third' }).waitFor();
    await accessible(page, 'a preview');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(body).toBe('- [ ] first\n- [x] second and **third**');
    expect(at.ada.complaints).toEqual([]);
  });
});

describe('a long line of code and a wide table', () => {
  const code = `\`\`\`\n${'0123456789'.repeat(20)}\n\`\`\``;
  const row = (cell: string) => `| ${Array(24).fill(cell).join(' | ')} |`;
  const wide = ['Before.', code, [row('column'), row('---'), row('value')].join('\n')].join('\n\n');

  it('scroll where they are: description, comment, page', async () => {
    const { page } = at.ada;
    const item = { type: 'task', title: 'Is wide', body: wide };
    const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', item);
    await at.service.api('POST', `/orgs/demo/items/${key}/comments`, { body: wide });
    await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Wide', { body: wide });
    for (const [path, blocks] of [
      [`items/${key}`, 4],
      ['wiki/Wide', 2],
    ] as const) {
      await page.goto(`/o/demo/p/DEMO/${path}`);
      await expect.poll(() => page.locator('pre, table').count()).toBe(blocks);
      for (const width of [400, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        // What stands beside the text appears and goes with the width.
        await at.ada.settled();
        expect(await page.evaluate(tooWide), `${path} at ${width}`).toEqual([]);
      }
    }
  });
});

/** Runs in the page: what is wider than its place, covers the aside, or cannot be scrolled. */
function tooWide(): string[] {
  const found: string[] = [];
  const beside = document.querySelector('main aside');
  const aside = beside?.checkVisibility() ? beside.getBoundingClientRect() : undefined;
  for (const block of document.querySelectorAll('pre, table')) {
    const name = block.tagName;
    const { left, right, top, bottom } = block.getBoundingClientRect();
    if (right > innerWidth) found.push(`${name} ends at ${right}`);
    if (aside && right > aside.left && left < aside.right && bottom > aside.top && top < aside.bottom)
      found.push(`${name} covers the aside`);
    if (block.scrollWidth <= block.clientWidth) found.push(`${name} does not scroll`);
    for (let around = block.parentElement; around; around = around.parentElement) {
      const scrolls = around === document.documentElement || getComputedStyle(around).overflowX !== 'visible';
      if (scrolls && around.scrollWidth > around.clientWidth)
        found.push(`${around.tagName} ${around.className} is ${around.scrollWidth} wide`);
    }
  }
  return found;
}
