/** The items of every project in one place: found, changed, made and come back to. */
import { beforeAll, expect, it } from 'vitest';
import { accessible, arriving, Person, picture } from '../harness';

const at = arriving('/o/demo/items', (ada) =>
  ada.page.getByRole('heading', { name: 'All items', level: 1 }).waitFor(),
);
const api = <T>(method: string, path: string, body?: object) =>
  at.service.api<T>(method, `/orgs/demo${path}`, body);

beforeAll(async () => {
  await api('POST', '/projects', { key: 'OPS', name: 'Operations' });
  for (let n = 1; n <= 60; n++)
    await api('POST', '/projects/OPS/items', { type: 'task', title: `Renew certificate ${n}` });
  await api('POST', '/projects/OPS/items', { type: 'bug', title: 'Disk is full', priority: 'highest' });
});

it('lists them with their real total, and changes one where it is', async () => {
  const { page } = at.ada;
  const { totalCount } = await api<{ totalCount: number }>('GET', '/items?pageSize=1');
  expect(totalCount).toBeGreaterThan(60);
  await page.getByText(`${totalCount} items`).waitFor();
  await page.getByRole('button', { name: `Show ${totalCount - 50} more` }).click();
  const rows = page.locator('[data-card]');
  await expect.poll(() => rows.count()).toBe(totalCount);
  await accessible(page, 'items of an organization');
  await picture(page, 'items-list');

  // The newest is the first; its priority is changed by key, though its project was never opened.
  await page.keyboard.press('j');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Disk is full');
  await page.keyboard.press('p');
  await page.getByRole('option', { name: 'Low', exact: true }).click();
  const key = await rows.first().getAttribute('data-card');
  const priority = async () => (await api<{ priority: string }>('GET', `/items/${key}`)).priority;
  await expect.poll(priority).toBe('low');
  await rows.first().getByText('Priority: Low').waitFor({ state: 'attached' });
  await page.keyboard.press('Space');
  await page.getByRole('dialog').getByText('Disk is full').first().waitFor();
  await page.keyboard.press('Escape');
  expect(at.ada.complaints).toEqual([]);
});

it('shows them by parts and on a board, filtered by what there is', async () => {
  const { page } = at.ada;
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  await page.getByRole('menuitem', { name: 'State' }).click();
  const backlog = page.getByRole('region', { name: 'Backlog' });
  await backlog.locator('[data-card]').first().waitFor();
  const counted = await api<{ totalCount: number }>('GET', '/items?filter=state:backlog&pageSize=1');
  await backlog.getByText(String(counted.totalCount), { exact: true }).waitFor();
  await accessible(page, 'items by state');

  await page.getByLabel('Filter').fill('type:bu');
  await page.getByRole('option', { name: /Bug/ }).click();
  await backlog.getByText('Disk is full').waitFor();
  await expect.poll(() => backlog.getByText(/Renew certificate/).count()).toBe(0);
  await page.getByRole('button', { name: 'Board', exact: true }).click();
  await page.locator('[data-column="backlog"]').getByText('Disk is full').waitFor();
  await accessible(page, 'board of an organization');
  await picture(page, 'items-board');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'items-board-dark');
  await accessible(page, 'board of an organization, dark');

  // A wrong term is said under the field.
  await page.goto('/o/demo/items?filter=state:nowhere');
  await page
    .getByRole('alert')
    .getByText(/nowhere/)
    .waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).first().click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  expect(at.ada.complaints).toEqual([]);
});

it('keeps a view for everybody, and a page at hand in the sidebar', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/items?filter=type:bug&as=board');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save as a view…' }).click();
  await page.getByLabel('Name').fill('Bugs everywhere');
  await page.getByLabel('Share it with everyone in the organization but guests').check();
  await accessible(page, 'a new view of an organization');
  await page.keyboard.press('Enter');
  const sidebar = page.getByRole('navigation', { name: 'Navigation' });
  await sidebar.getByRole('link', { name: 'Bugs everywhere' }).waitFor();

  // Another browser has it too, and is told of it.
  const other = await Person.arrive(at.service);
  await other.enter(at.demo.email, at.demo.password, '/o/demo/items');
  const theirs = other.page.getByRole('navigation', { name: 'Navigation' });
  await theirs.getByRole('link', { name: 'Bugs everywhere' }).click();
  await other.page.waitForURL(/items\?.*as=board/);
  await other.page.locator('[data-column="backlog"]').getByText('Disk is full').waitFor();

  await page.goto('/o/demo/p/OPS/board');
  await page.getByText('Renew certificate 1', { exact: true }).waitFor();
  await page.keyboard.press('Shift+F');
  const kept = sidebar.getByRole('link', { name: /Operations/ }).first();
  await kept.waitFor();
  await page.reload();
  await sidebar.getByRole('link', { name: 'Bugs everywhere' }).click();
  await page.waitForURL(/items\?.*as=board/);
  await page.locator('[data-column="backlog"]').getByText('Disk is full').waitFor();
  await accessible(page, 'favourites');
  await picture(page, 'favourites');
  await page.getByRole('button', { name: 'View: Bugs everywhere' }).click();
  await page.getByRole('menuitem', { name: 'Manage views…' }).click();
  await accessible(page, 'the views of an organization');
  await page.getByRole('button', { name: 'Delete Bugs everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await sidebar.getByRole('link', { name: 'Bugs everywhere' }).waitFor({ state: 'detached' });
  await theirs.getByRole('link', { name: 'Bugs everywhere' }).waitFor({ state: 'detached' });
  await other.leave();
  expect(at.ada.complaints).toEqual([]);
});

interface Made {
  key: string;
}

/** Two items of two projects that are found by a word of their own. */
async function two(word: string): Promise<[string, string]> {
  const make = (project: string) =>
    api<Made>('POST', `/projects/${project}/items`, { type: 'task', title: `${word} of ${project}` });
  const [demo, ops] = [await make('DEMO'), await make('OPS')];
  return [demo.key, ops.key];
}

const fieldOf = async (key: string, field: string) =>
  (await api<Record<string, unknown>>('GET', `/items/${key}`))[field];

it('changes items of several projects at once, and takes it back as one', async () => {
  const { page } = at.ada;
  const keys = await two('Wobbling');
  // However late the rows come, the count is not there before them: keys find what it counts.
  await page.route(/\/items\?.*pageSize=50/, async (route) => {
    await new Promise((late) => setTimeout(late, 500));
    await route.continue();
  });
  await page.goto('/o/demo/items?q=Wobbling');
  await page.getByText('2 items', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+J');
  const bar = page.getByRole('region', { name: '2 selected' });
  await bar.waitFor();
  expect(await bar.getByRole('button', { name: 'Sprint' }).count()).toBe(0);
  await accessible(page, 'items of two projects selected');
  await picture(page, 'items-selected');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname);
  });
  await bar.getByRole('button', { name: 'Priority' }).click();
  await page.getByRole('option', { name: 'Highest' }).click();
  await page.getByText('2 items: priority changed').first().waitFor();
  for (const key of keys) await expect.poll(() => fieldOf(key, 'priority')).toBe('highest');
  expect(sent.length, sent.join(' ')).toBe(2);
  await page.keyboard.press('Control+z');
  for (const key of keys) await expect.poll(() => fieldOf(key, 'priority')).toBe('medium');
  // A state that both workflows have.
  await page.keyboard.press('s');
  await page.getByRole('option', { name: 'In progress' }).click();
  for (const key of keys) await expect.poll(() => fieldOf(key, 'state')).toBe('In progress');
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  expect(at.ada.complaints).toEqual([]);
});

it('is dragged from part to part, whatever the project', async () => {
  const { page } = at.ada;
  const [demo, ops] = await two('Drifting');
  await page.goto('/o/demo/items?q=Drifting&as=board');
  const column = (name: string) => page.locator(`[data-column="${name}"]`);
  await column('backlog').locator(`[data-card="${ops}"]`).dragTo(column('active'));
  await column('active').locator(`[data-card="${ops}"]`).waitFor();
  await expect.poll(() => fieldOf(ops, 'state')).toBe('In progress');
  // What is selected goes together: everything from the one that was dragged to this one.
  await column('backlog')
    .locator(`[data-card="${demo}"]`)
    .click({ modifiers: ['Shift'] });
  // The bar of the selection is loaded with the first of it.
  await page.getByRole('region', { name: '2 selected' }).waitFor();
  await column('active').locator(`[data-card="${ops}"]`).dragTo(column('backlog'));
  await expect.poll(() => fieldOf(ops, 'state')).toBe('Backlog');
  await column('backlog').locator(`[data-card="${demo}"]`).waitFor();

  await page.goto('/o/demo/items?q=Drifting&group=priority');
  await api('PATCH', `/items/${demo}`, {
    version: (await fieldOf(demo, 'version')) as number,
    priority: 'high',
  });
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  await part('High').locator(`[data-card="${demo}"]`).waitFor();
  await part('Medium').locator(`[data-card="${ops}"]`).dragTo(part('High'));
  await part('High').locator(`[data-card="${ops}"]`).waitFor();
  await expect.poll(() => fieldOf(ops, 'priority')).toBe('high');
  expect(at.ada.complaints).toEqual([]);
});

it('makes an item from anywhere, in the project that is chosen', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo');
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Title').fill('Made from Home');
  await dialog.getByLabel('Project').selectOption({ label: 'Operations' });
  await dialog.getByRole('heading', { name: 'New item in Operations' }).waitFor();
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Made from Home');
  await accessible(page, 'create with a choice of projects');
  await picture(page, 'create-anywhere');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  const found = async () =>
    (await api<{ items: { key: string }[] }>('GET', '/items?q=Made%20from%20Home')).items.map(
      ({ key }) => key,
    );
  await expect.poll(found).toEqual([expect.stringMatching(/^OPS-\d+$/)]);
  // Nothing of it is left for the project that it was begun in.
  await page.goto('/o/demo/p/DEMO/board');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('c');
  expect(await page.getByRole('dialog').getByLabel('Title').inputValue()).toBe('');
  expect(at.ada.complaints).toEqual([]);
});

it('leads from the best that a search finds to all of it', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/search?q=certificate');
  await page.getByText(/^The first 50/).waitFor();
  await page.getByRole('link', { name: /^60 items have these words/ }).click();
  await page.getByText('60 items', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show 10 more' }).waitFor();
  expect(at.ada.complaints).toEqual([]);
});

it('is read with a thumb', async () => {
  const ada = await Person.arrive(at.service, { width: 390, height: 844 });
  const { page } = ada;
  await ada.enter(at.demo.email, at.demo.password, '/o/demo/items');
  await page.locator('[data-card]').first().waitFor();
  await accessible(page, 'items on a phone');
  await picture(page, 'items-phone');
  const across = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await across()).toBe(0);
  await page.getByRole('button', { name: 'Board', exact: true }).click();
  await page.locator('[data-column="backlog"] [data-card]').first().waitFor();
  expect(await across()).toBe(0);
  await picture(page, 'items-board-phone');
  await ada.leave();
});
