/** Journeys 4 to 6: the board by pointer, by keyboard, and by two people at once. */
import { describe, expect, it } from 'vitest';
import { accessible, arriving, Person, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/board', (ada) => ada.card('DEMO-1').waitFor());

interface Item {
  key: string;
  version: number;
  state: string;
  priority: string;
  title: string;
}

const item = (key: string) => at.service.api<Item>('GET', `/orgs/demo/items/${key}`);
const stateOf = async (key: string) => (await item(key)).state;

describe('the board by pointer', () => {
  it('moves a card to another column, and takes it back', async () => {
    await picture(at.ada.page, 'board');
    await accessible(at.ada.page, 'board');
    await at.ada.card('DEMO-2').dragTo(at.ada.column('In progress'));
    await at.ada.column('In progress').locator('[data-card="DEMO-2"]').waitFor();
    await expect.poll(() => stateOf('DEMO-2')).toBe('In progress');
    await at.ada.page.getByRole('button', { name: 'Undo' }).click();
    await at.ada.column('Backlog').locator('[data-card="DEMO-2"]').waitFor();
    await expect.poll(() => stateOf('DEMO-2')).toBe('Backlog');
    expect(at.ada.complaints).toEqual([]);
  });

  it('refuses a column that the workflow does not lead to', async () => {
    await at.ada.card('DEMO-1').dragTo(at.ada.column('Resolved'));
    await at.ada.column('Backlog').locator('[data-card="DEMO-1"]').waitFor();
    expect(await stateOf('DEMO-1')).toBe('Backlog');
  });

  it('makes lanes, and keeps them in the address', async () => {
    await at.ada.page.getByRole('button', { name: 'Lanes' }).click();
    await at.ada.page.getByRole('menuitem', { name: 'Priority' }).click();
    await at.ada.page.getByRole('button', { name: /^High \d/ }).waitFor();
    await picture(at.ada.page, 'board-lanes');
    await accessible(at.ada.page, 'lanes');
    await at.ada.page.reload();
    await at.ada.page.getByRole('button', { name: /^High \d/ }).waitFor();
    expect(new URL(at.ada.page.url()).searchParams.get('lanes')).toBe('priority');
  });
});

describe('the board by keyboard', () => {
  it('moves the focus and the card, and says where it is', async () => {
    const { page } = at.ada;
    await at.ada.card('DEMO-1').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await at.ada.column('In progress').locator('[data-card="DEMO-1"]').waitFor();
    await expect.poll(() => at.ada.announced()).toMatch(/^DEMO-1 moved to In progress, \d of \d\.$/);
    await expect.poll(() => stateOf('DEMO-1')).toBe('In progress');
    await page.keyboard.press('Control+z');
    await expect.poll(() => stateOf('DEMO-1')).toBe('Backlog');
  });

  it('has everything in the Move menu', async () => {
    const { page } = at.ada;
    await at.ada.card('DEMO-2').focus();
    await page.keyboard.press('m');
    const menu = page.getByRole('dialog', { name: 'Move DEMO-2' });
    await menu.getByRole('option', { name: 'Closed' }).waitFor();
    expect(await menu.getByRole('option', { name: /Closed/ }).getAttribute('aria-disabled')).toBe('true');
    await accessible(page, 'Move menu');
    await page.keyboard.type('in progress');
    await page.keyboard.press('Enter');
    await expect.poll(() => stateOf('DEMO-2')).toBe('In progress');
    await at.ada.card('DEMO-2').focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => stateOf('DEMO-2')).toBe('Backlog');
  });

  it('creates, finds and opens without a pointer', async () => {
    const { page } = at.ada;
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: /New item/ }).waitFor();
    await page.keyboard.type('Made by keys');
    await page.keyboard.press('Control+Enter');
    const made = page.locator('a[data-card]', { hasText: 'Made by keys' });
    await made.waitFor();
    await expect.poll(() => made.getAttribute('data-card')).toMatch(/^DEMO-\d+$/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands and search' }).fill('made by keys');
    await picture(page, 'palette');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/items/DEMO-*');
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.waitForURL('**/board');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await accessible(page, 'help');
  });

  it('takes other keys for what somebody wants to press differently', async () => {
    const { page } = at.ada;
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    const keys = help.getByRole('button', { name: /^Create item: c\./ });
    await keys.click();
    await page.keyboard.press('g');
    await help.getByText(/has this key/).waitFor();
    await page.keyboard.press('n');
    await help.getByRole('button', { name: /^Create item: n\./ }).waitFor();
    await accessible(page, 'changed keys');
    await picture(page, 'keys');
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: /New item/ }).waitFor();
  });

  it('filters in the language of filters, and keeps the filter in the address', async () => {
    const { page } = at.ada;
    await page.keyboard.press('/');
    await page.keyboard.type('priority:>=high ');
    await at.ada.card('DEMO-3').waitFor({ state: 'detached' });
    await at.ada.card('DEMO-1').waitFor();
    expect(new URL(page.url()).searchParams.get('filter')).toBe('priority:>=high');
    // A mistake is explained under the box, and takes nothing away of what is shown.
    await page.keyboard.type('priority:urgent ');
    const said = page.getByRole('search').getByRole('alert');
    await said.getByText(/^`priority:urgent`: /).waitFor();
    await at.ada.card('DEMO-1').waitFor();
    expect(await at.ada.card('DEMO-3').count()).toBe(0);
    await accessible(page, 'a wrong filter');
    await picture(page, 'board-filter');
    await page.getByRole('button', { name: 'Remove priority:urgent' }).click();
    await said.waitFor({ state: 'detached' });
    for (const wrong of ['colour:red', 'state:Doing', 'type:bgu']) {
      await page.getByRole('combobox', { name: 'Filter' }).fill(`${wrong} `);
      await said.getByText(`\`${wrong}\`: `).waitFor();
      await page.getByRole('button', { name: `Remove ${wrong}` }).click();
      await said.waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Clear the filter' }).first().click();
    await at.ada.card('DEMO-3').waitFor();
  });
});

describe('the list', () => {
  it('shows the columns that are chosen, in the address and the next time', async () => {
    const { page } = at.ada;
    const row = page.locator('[data-card="DEMO-1"]');
    await page.goto('/o/demo/p/DEMO/list');
    await row.waitFor();
    await page.getByRole('columnheader', { name: 'Labels' }).waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitem', { name: 'Labels' }).click();
    await page.getByRole('columnheader', { name: 'Labels' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('columns')).not.toContain('labels');
    await page.goto('/o/demo/p/DEMO/list');
    await row.waitFor();
    expect(await page.getByRole('columnheader', { name: 'Labels' }).count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await accessible(page, 'list on a phone');
    await picture(page, 'list-phone');
  });
});

describe('two people', () => {
  it('see each other’s moves without asking again', async () => {
    const eve = await Person.arrive(at.service);
    await eve.enter(at.demo.email, at.demo.password, '/o/demo/p/DEMO/board');
    await eve.card('DEMO-3').waitFor();
    await at.ada.card('DEMO-3').focus();
    await at.ada.page.keyboard.press('Shift+ArrowRight');
    await eve.column('In review').locator('[data-card="DEMO-3"]').waitFor();
    await eve.leave();
  });

  it('see each other’s comments without asking again', async () => {
    const eve = await Person.arrive(at.service);
    await eve.enter(at.demo.email, at.demo.password, '/o/demo/p/DEMO/items/DEMO-2');
    await eve.page.getByRole('heading', { name: 'The greeting is cut off after 20 characters' }).waitFor();
    await at.service.api('POST', '/orgs/demo/items/DEMO-2/comments', { body: 'Seen at once?' });
    await eve.page.getByText('Seen at once?').waitFor();
    await eve.leave();
  });

  it('keep both changes of different fields, and are asked about the same one', async () => {
    const { page } = at.ada;
    await page.waitForFunction(() => performance.getEntriesByName('svc.warm').length > 0);
    const held = await item('DEMO-5');
    await at.ada.context.setOffline(true);
    await at.ada.card('DEMO-5').focus();
    await page.keyboard.press('Shift+E');
    await page.getByLabel('Estimate').last().fill('8');
    await page.keyboard.press('Enter');
    await at.ada.card('DEMO-5').focus();
    await page.keyboard.press('p');
    await page.getByRole('option', { name: 'Lowest' }).click();
    await page.getByText(/Offline, 2 changes waiting/).waitFor();
    await at.service.api('PATCH', '/orgs/demo/items/DEMO-5', { version: held.version, priority: 'high' });
    await at.ada.context.setOffline(false);
    await page.getByText(/Somebody changed priority of DEMO-5 first: it is high now/).waitFor();
    const merged = await at.service.api<Item & { estimate: number }>('GET', '/orgs/demo/items/DEMO-5');
    expect([merged.estimate, merged.priority]).toEqual([8, 'high']);
    await page.getByRole('button', { name: 'Set lowest' }).click();
    await expect.poll(async () => (await item('DEMO-5')).priority).toBe('lowest');
  });
});
