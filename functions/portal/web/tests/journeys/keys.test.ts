/** Keys and the focus where people are: in the dialog that creates an item, beside a peek, and back from an item. */
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/list', (ada) => ada.page.locator('[data-card="DEMO-1"]').waitFor());

const focused = () =>
  at.ada.page.evaluate(() => document.activeElement?.closest('[data-card]')?.getAttribute('data-card'));
const titles = async () =>
  (
    await at.service.api<{ items: { title: string }[] }>('GET', '/orgs/demo/projects/DEMO/items?pageSize=100')
  ).items.map(({ title }) => title);

it('Ctrl+Enter creates from every field of the dialog, and once', async () => {
  const { page } = at.ada;
  const dialog = page.getByRole('dialog', { name: /New item/ });
  const description = dialog.getByRole('textbox', { name: 'Description' });
  for (const field of [
    'Title',
    'Description',
    'Type',
    'State',
    'Priority',
    'Assignee',
    'Labels',
    'Estimate',
    'Due day',
    'Parent',
  ]) {
    await page.keyboard.press('c');
    await dialog.getByLabel('Title', { exact: true }).fill(`From ${field}`);
    await description.waitFor();
    if (field === 'Description') await description.click();
    else if (field !== 'Title') await dialog.getByRole('button', { name: new RegExp(`^${field}`) }).focus();
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(titles).toContain(`From ${field}`);
  }
  expect((await titles()).filter((title) => title.startsWith('From '))).toHaveLength(10);
  expect(at.ada.complaints).toEqual([]);
});

for (const screen of ['list', 'board']) {
  it(`Back from an item leads to where it is on the ${screen}, and J takes a peek along`, async () => {
    const { page } = at.ada;
    await page.goto(`/o/demo/p/DEMO/${screen}`);
    const first = page.locator('[data-card="DEMO-1"]');
    await first.focus();
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('DEMO-2');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).getByText('The greeting is cut off').waitFor();
    await page.goBack();
    await first.waitFor();
    await expect.poll(focused).toBe('DEMO-2');

    const peek = page.getByRole('dialog');
    await page.keyboard.press('Space');
    await peek.getByText('The greeting is cut off').first().waitFor();
    await page.keyboard.press('k');
    await peek.getByText('Greet people by name').first().waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('peek')).toBe('DEMO-1');
    await expect.poll(focused).toBe('DEMO-1');
    await picture(page, `${screen}-peek-moved`);
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    expect(at.ada.complaints).toEqual([]);
  });
}

it('keys of a project lead to the one that was open last from elsewhere, and F filters', async () => {
  const { page } = at.ada;
  await page.goto('/inbox');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.waitForURL('**/o/demo/p/DEMO/board');
  const card = page.locator('[data-card="DEMO-2"]');
  await card.waitFor();
  await page.keyboard.press('f');
  const field = page.getByRole('combobox', { name: 'Filter' });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await card.focus();
  await page.keyboard.press('a');
  await page.getByRole('combobox', { name: 'Assignee' }).pressSequentially('me');
  await page.getByRole('option', { name: /\(you\)/ }).waitFor();
  await page.keyboard.press('Enter');
  const assigned = async () =>
    (await at.service.api<{ assignee?: { agent: boolean } }>('GET', '/orgs/demo/items/DEMO-2')).assignee;
  await expect.poll(assigned).toMatchObject({ agent: false });
  expect(at.ada.complaints).toEqual([]);
});

it('? tells every key, of other places too', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const title of ['Wrap long lines', 'Select up to the next item', 'Refine the item', 'Send or save'])
    await help.getByText(title).first().waitFor();
  await accessible(page, 'all keys');
  await picture(page, 'keys-everywhere');
});

it('labels have room to be read, and the others are counted', async () => {
  const { page } = at.ada;
  const labels = ['customer-feedback', 'documentation', 'web'];
  const made = { type: 'task', title: 'Has many labels', labels, estimate: 13, assignee: '@me' };
  const make = (more: object) =>
    at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', { ...made, ...more });
  const { key: one } = await make({ due: '2026-01-05' });
  const { key: two } = await make({});
  /** How wide the names are, and how many more are counted. */
  const shown = async (key: string) => {
    const card = page.locator(`[data-card="${key}"]`);
    await card.waitFor();
    await card.scrollIntoViewIfNeeded();
    const widths = await card
      .locator('.truncate')
      .filter({ hasText: /^(customer-feedback|documentation|web)$/ })
      .evaluateAll((names) => names.map((name) => name.getBoundingClientRect().width));
    return { widths, more: Number(/\+(\d)/.exec(await card.innerText())?.[1]) };
  };
  for (const [screen, key, names] of [
    ['board', one, 1],
    ['board', two, 2],
    ['list', one, 2],
  ] as const) {
    await page.goto(`/o/demo/p/DEMO/${screen}`);
    const { widths, more } = await shown(key);
    expect(widths.length).toBe(names);
    expect(more).toBe(labels.length - names);
    for (const width of widths) expect(width, screen).toBeGreaterThan(28);
    await picture(page, `${screen}-labels`);
  }
});

it('J and K lead through the items of the page that an item was opened from, and Escape back there', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/p/DEMO/list?sort=created');
  const first = page.locator('[data-card="DEMO-1"]');
  await first.focus();
  const order = await page
    .locator('[role=row][data-card]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-card') ?? ''));
  const place = order.indexOf('DEMO-1');
  const [next, other] = [order[place + 1] ?? '', order[place + 2] ?? ''];
  const shown = (key: string) => page.waitForURL(`**/items/${key}`);
  await page.keyboard.press('Enter');
  await shown('DEMO-1');
  await page.getByText(`${place + 1} of ${order.length}`).waitFor();
  await page.keyboard.press('j');
  await shown(next);
  await page.getByRole('button', { name: 'Next item' }).click();
  await shown(other);
  await page.keyboard.press('k');
  await shown(next);
  await accessible(page, 'an item that was opened from a list');
  await picture(page, 'item-beside');

  // Escape leaves what is written and what is open first.
  await page
    .getByRole('button', { name: /Priority/ })
    .first()
    .click();
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toContain(next);
  await page.keyboard.press('Escape');
  await page.waitForURL('**/o/demo/p/DEMO/list?sort=created');
  await expect.poll(focused).toBe(next);

  // Of an item that was opened by its address, Escape leads to the board.
  await page.goto('/o/demo/p/DEMO/items/DEMO-1');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'Next item' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.waitForURL('**/o/demo/p/DEMO/board');
  expect(at.ada.complaints).toEqual([]);
});

it('what is typed while a picker loads goes into it', async () => {
  const { page } = at.ada;
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route('**/assets/Pickers-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/o/demo/p/DEMO/list');
  const first = page.locator('[data-card="DEMO-1"]');
  await first.focus();
  await page.keyboard.press('p');
  await page.keyboard.type('highest');
  expect(new URL(page.url()).pathname).toBe('/o/demo/p/DEMO/list');
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await page.keyboard.type('lowx');
  await page.keyboard.press('Backspace');
  go();
  const field = page.getByRole('combobox', { name: 'Priority' });
  await expect.poll(() => field.inputValue()).toBe('low');
  await page.keyboard.type('est');
  await page.keyboard.press('Enter');
  await page.getByText('DEMO-1: priority changed').waitFor();
  const priority = async () =>
    (await at.service.api<{ priority: string }>('GET', '/orgs/demo/items/DEMO-1')).priority;
  await expect.poll(priority).toBe('lowest');
  expect(at.ada.complaints).toEqual([]);
});

for (const screen of ['list', 'board']) {
  it(`keys act on the item at the pointer on the ${screen}, until the keyboard leads on`, async () => {
    const { page } = at.ada;
    const assignee = async (key: string) =>
      (await at.service.api<{ assignee?: { name: string } }>('GET', `/orgs/demo/items/${key}`)).assignee
        ?.name;
    await page.goto(`/o/demo/p/DEMO/${screen}`);
    const card = (key: string) => page.locator(`[data-card="${key}"]`).first();
    await card('DEMO-2').waitFor();
    await card('DEMO-2').hover();
    await page.keyboard.press('p');
    await page.getByRole('option', { name: screen === 'list' ? 'Low' : 'High', exact: true }).click();
    await page.getByText('DEMO-2: priority changed').waitFor();
    await card('DEMO-1').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await expect.poll(focused).toBe('DEMO-1');
    await page.keyboard.press('i');
    await page.getByText('DEMO-1: assignee changed').waitFor();
    await expect.poll(() => assignee('DEMO-1')).toBeTruthy();
    await page.keyboard.press('Control+z');
    await expect.poll(() => assignee('DEMO-1')).toBeUndefined();
    expect(at.ada.complaints).toEqual([]);
  });
}

it('an item is taken over on its page by I', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/p/DEMO/items/DEMO-1');
  await page.getByRole('heading', { level: 1 }).getByText('Greet people by name').waitFor();
  await page.keyboard.press('i');
  await page.getByText('DEMO-1: assignee changed').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Undone: DEMO-1: assignee changed').waitFor();
  expect(at.ada.complaints).toEqual([]);
});

it('what a search finds is gone through by arrows, opened by Enter, and left for the next by J', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/search?types=items');
  const field = page.getByRole('searchbox');
  await field.fill('greet');
  const results = page.locator('#results li a');
  await expect.poll(() => results.count()).toBeGreaterThan(2);
  await page.waitForURL('**q=greet**');
  const keys = await results.evaluateAll((all) => all.map((a) => a.getAttribute('href')?.split('/').at(-1)));
  await field.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('href')))
    .toContain(keys[1]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/items/${keys[0]}`);
  await page.getByText(/^1 of \d+$/).waitFor();
  await page.keyboard.press('j');
  await page.waitForURL(`**/items/${keys[1]}`);
  await page.getByText(/^2 of \d+$/).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL('**/o/demo/search?*q=greet*');
  expect(at.ada.complaints).toEqual([]);
});

it('items of Home are left for the next by J, and for Home by Escape', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo');
  const rows = page.locator('[data-work]');
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  const keys = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-work')));
  await rows.first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/items/${keys[0]}`);
  await page.getByText(/^1 of \d+$/).waitFor();
  await page.keyboard.press('j');
  await page.waitForURL(`**/items/${keys[1]}`);
  await page.getByText(/^2 of \d+$/).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL('**/o/demo');
  expect(at.ada.complaints).toEqual([]);
});
