/** The palette knows every command, page and section of the settings, also by other words, and only what one may do. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessible, arriving, Person, picture } from '../harness';
import { join } from '../joining';

const at = arriving('/o/demo/p/DEMO/board', (ada) => ada.card('DEMO-1').waitFor());

/** Opens the palette and types. */
async function ask(page: Page, text: string) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Commands and search' }).fill(text);
}

async function choose(page: Page, text: string, option: RegExp) {
  await ask(page, text);
  await page.getByRole('option', { name: option }).first().click();
}

it('does on another page what is asked for, once', async () => {
  const { page } = at.ada;
  await choose(page, 'invite', /^Invite somebody/);
  await page.waitForURL('**/o/demo/settings/invitations');
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  await dialog.getByLabel('E-mail').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Invite' }).waitFor();
  expect(await dialog.count()).toBe(0);

  await choose(page, 'add machine', /^New runner/);
  await page.waitForURL('**/o/demo/factory/runners');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');

  await choose(page, 'new project', /^New project/);
  await page.waitForURL('**/o/demo/p');
  await page.getByRole('dialog', { name: 'New project' }).waitFor();
  await page.keyboard.press('Escape');

  await choose(page, 'project members', /^Members.*Greeter/);
  await page.waitForURL('**/p/DEMO/settings/members');
  await choose(page, 'columns wip', /^Workflow/);
  await page.waitForURL('**/p/DEMO/settings/workflow');
  expect(at.ada.complaints).toEqual([]);
});

it('changes the theme, acts on the item that is open, and signs out', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/p/DEMO/items/DEMO-3');
  await page.getByRole('button', { name: 'Stop watching' }).click();
  await page.getByRole('button', { name: 'Watch', exact: true }).waitFor();
  await choose(page, 'subscribe', /^Watch DEMO-3/);
  await page.getByRole('button', { name: 'Stop watching' }).waitFor();
  await ask(page, '');
  await picture(page, 'palette-item');
  await page.keyboard.press('Escape');
  await choose(page, 'dark mode', /^Theme: Dark/);
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await ask(page, 'new');
  await accessible(page, 'the palette, dark');
  await picture(page, 'palette-new-dark');
  await page.keyboard.press('Escape');
  await choose(page, 'log out', /^Sign out/);
  await page.waitForURL('**/sign-in');
});

it('has nothing that a stakeholder would not find', async () => {
  const stakeholder = await join(at, 'stella@example.test', 'stakeholder');
  const { page } = stakeholder;
  await page.goto('/o/demo/p/DEMO/board');
  await stakeholder.card('DEMO-1').waitFor();
  const offered = page.getByRole('option');
  for (const text of ['invite', 'new project', 'runner', 'agents', 'workflow']) {
    await ask(page, `>${text}`);
    await expect.poll(() => offered.allTextContents()).toEqual([]);
    await page.keyboard.press('Escape');
  }
  await ask(page, '>members');
  await expect.poll(() => offered.count()).toBe(1);
  await stakeholder.leave();
});

it('fits a phone', async () => {
  const ada = await Person.arrive(at.service, { width: 390, height: 844 });
  await ada.enter(at.demo.email, at.demo.password, '/o/demo');
  await ada.page.getByRole('heading', { level: 2 }).waitFor();
  await ask(ada.page, 'settings');
  await ada.page.getByRole('option', { name: /^Workflow/ }).waitFor();
  await accessible(ada.page, 'the palette on a phone');
  await picture(ada.page, 'palette-phone');
  await ada.leave();
});
