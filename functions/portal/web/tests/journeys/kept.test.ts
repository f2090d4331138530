/** Due days, deleting an item and bringing it back, and views of a list that are saved, shared and exported. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessible, arriving, Person, picture } from '../harness';
import { join } from '../joining';

const P = '/o/demo/p/DEMO';
const at = arriving(`${P}/board`, (ada) => ada.card('DEMO-1').waitFor());

interface Item {
  key: string;
  version: number;
  due?: string;
}

const item = (key: string) => at.service.api<Item>('GET', `/orgs/demo/items/${key}`);
const dueOf = async (key: string) => (await item(key)).due;
const make = (title: string) =>
  at.service.api<Item>('POST', '/orgs/demo/projects/DEMO/items', { type: 'task', title });

describe('a due day', () => {
  it('that is over is told in words, on the board and in the list', async () => {
    const { page } = at.ada;
    const { key, version } = await make('Should be done by now');
    await at.service.api('PATCH', `/orgs/demo/items/${key}`, { version, due: '2026-01-05' });
    await at.ada.card(key).getByText('Late: Jan 5').waitFor();
    await picture(page, 'board-due');
    await accessible(page, 'a late card');
    await page.goto(`${P}/list?sort=due`);
    await page.locator(`[data-card="${key}"]`).getByText('Late: Jan 5').waitFor();
    await page.goto(`${P}/list?filter=${encodeURIComponent('due:<2026-01-06')}`);
    await page.locator(`[data-card="${key}"]`).waitFor();
    await page.locator('[data-card="DEMO-1"]').waitFor({ state: 'detached' });
  });

  it('is set by keyboard, taken back, and cleared', async () => {
    const { page } = at.ada;
    const { key } = await make('Has time');
    await page.goto(`${P}/items/${key}`);
    const due = page.locator('[data-property=due]');
    await due.waitFor();
    await setDue(page, '2031-12-01');
    await due.getByText('Dec 1').waitFor();
    await expect.poll(() => dueOf(key)).toBe('2031-12-01');
    await page.keyboard.press('Control+z');
    await due.getByText('None').waitFor();
    await expect.poll(() => dueOf(key)).toBeUndefined();
    await setDue(page, '2031-12-02');
    await expect.poll(() => dueOf(key)).toBe('2031-12-02');
    await page.keyboard.press('Shift+D');
    await page.getByRole('option', { name: 'No due day' }).click();
    await expect.poll(() => dueOf(key)).toBeUndefined();
    expect(at.ada.complaints).toEqual([]);
  });
});

async function setDue(page: Page, day: string): Promise<void> {
  await page.keyboard.press('Shift+D');
  await page.getByRole('combobox', { name: 'Due day' }).fill(day);
  await accessible(page, 'the due day');
  await page.keyboard.press('Enter');
}

describe('an item that is deleted', () => {
  it('leaves the board of everybody, and is brought back from its page', async () => {
    const { page } = at.ada;
    const { key } = await make('Deleted by mistake');
    const other = await Person.arrive(at.service);
    await other.enter(at.demo.email, at.demo.password, `${P}/board`);
    await other.card(key).waitFor();
    await page.goto(`${P}/items/${key}`);
    await askToDelete(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/\/board/);
    await at.ada.card('DEMO-1').waitFor();
    await at.ada.card(key).waitFor({ state: 'detached' });
    await other.card(key).waitFor({ state: 'detached' });
    await page.goto(`${P}/items/${key}`);
    await page.getByText('It can be brought back until').waitFor();
    await picture(page, 'item-deleted');
    await accessible(page, 'a deleted item');
    await page.getByRole('button', { name: /Bring it back/ }).click();
    await page.locator('[data-property=state]').waitFor();
    await other.card(key).waitFor();
    await other.leave();
    expect(at.ada.complaints).toEqual([]);
  });

  it('is kept where one says no, and comes back by Undo or from the list of deleted items', async () => {
    const { page } = at.ada;
    const { key } = await make('Deleted twice');
    await page.goto(`${P}/items/${key}`);
    await askToDelete(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await askToDelete(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await at.ada.card(key).waitFor();
    await at.service.api('DELETE', `/orgs/demo/items/${key}`);
    await at.ada.card(key).waitFor({ state: 'detached' });
    await page.goto(`${P}/list`);
    await page.getByRole('button', { name: 'List actions' }).click();
    await page.getByRole('menuitem', { name: 'Deleted items' }).click();
    await page.getByText(`${key} Deleted twice`).waitFor();
    await picture(page, 'deleted-items');
    await accessible(page, 'deleted items');
    await page.getByRole('button', { name: `Bring it back: ${key}` }).click();
    await page.getByText(`${key} Deleted twice`).waitFor({ state: 'detached' });
    expect((await item(key)).key).toBe(key);
    expect(at.ada.complaints).toEqual([]);
  });
});

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: /Delete item/ }).click();
  await page.getByRole('dialog').waitFor();
  await accessible(page, 'delete an item');
}

describe('a view', () => {
  const filtered = (page: Page) => page.getByRole('combobox', { name: 'Filter' });

  it('is saved, shared, opened again, changed, and deleted', async () => {
    const { page } = at.ada;
    await page.goto(`${P}/list?sort=due`);
    await page.locator('[data-card="DEMO-1"]').waitFor();
    await filtered(page).fill('type:task greet ');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as a view…' }).click();
    await page.getByLabel('Name').fill('Greeting tasks');
    await page.getByLabel('Share it').check();
    await accessible(page, 'save a view');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'View: Greeting tasks' }).waitFor();
    await picture(page, 'list-view');
    await page.getByRole('button', { name: 'Clear the filter' }).first().click();
    await page.getByRole('button', { name: 'View: Greeting tasks, changed' }).click();
    await page.getByRole('menuitem', { name: 'Greeting tasks', exact: true }).click();
    await expect.poll(() => filtered(page).inputValue()).toBe('greet');
    await page.reload();
    await page.getByRole('button', { name: 'View: Greeting tasks' }).waitFor();
    await page.getByRole('button', { name: /^View/ }).click();
    await page.getByRole('menuitem', { name: 'Manage views…' }).click();
    await page.getByRole('dialog').getByText('Shared by').waitFor();
    await accessible(page, 'manage views');
    await picture(page, 'views');
    await page.getByRole('button', { name: 'Edit Greeting tasks' }).click();
    await page.getByLabel('Name').fill('Greets');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').getByText('Greets').waitFor();
    await page.getByRole('button', { name: 'Delete Greets' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('There are no views yet').waitFor();
    expect(at.ada.complaints).toEqual([]);
  });

  it('of others is theirs: who it is shared with opens it, and changes and deletes nothing', async () => {
    const view = { name: 'Shown to all', filter: 'type:bug', shared: true };
    await at.service.api('POST', '/orgs/demo/projects/DEMO/views', view);
    const vera = await join(at, 'vera@example.com', 'stakeholder');
    const { page } = vera;
    await page.goto(`${P}/list`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Shown to all', exact: true }).click();
    await page.getByRole('button', { name: 'View: Shown to all' }).click();
    await page.getByRole('menuitem', { name: 'Manage views…' }).click();
    await page.getByRole('dialog').getByText('Shared by').waitFor();
    expect(await page.getByRole('button', { name: 'Edit Shown to all' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Delete Shown to all' }).count()).toBe(0);
    await vera.leave();
  });
});

describe('a list', () => {
  it('is exported as it is filtered', async () => {
    const { page } = at.ada;
    const { key } = await make('Told, "quoted", and\u00a0exported');
    await page.goto(`${P}/list?filter=type:task&q=exported`);
    await page.locator(`[data-card="${key}"]`).waitFor();
    await page.getByRole('button', { name: 'List actions' }).click();
    await accessible(page, 'the list’s menu');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const [heads, ...lines] = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);
    expect(heads).toContain('title');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(key);
    expect(lines[0]).toContain('"Told, ""quoted"", and');
    expect(new URL(page.url()).pathname).toBe(`${P}/list`);
  });
});
