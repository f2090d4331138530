/** Many items at once: selected in one go, changed by one request, taken back as one. */
import { beforeEach, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/list', (ada) => ada.page.locator('[data-card="DEMO-1"]').waitFor());

/** What the page asked for since that changes items. */
let changes: string[] = [];

beforeEach(() => {
  changes = [];
  at.ada.page.on('request', (request) => {
    if (/\/items\/|\/move$/.test(request.url()) && request.method() !== 'GET')
      changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
});

const rows = () => at.ada.page.locator('[role=row][data-card]');
const chosen = () => at.ada.page.locator('[role=row][data-card]:has(input:checked)');

it('are selected by keys, from here to there, and all that are shown', async () => {
  const { page } = at.ada;
  const keys = await rows().evaluateAll((all) => all.map((row) => row.getAttribute('data-card') ?? ''));
  expect(keys.length).toBeGreaterThan(4);
  const row = (place: number) => page.locator(`[data-card="${keys[place]}"]`);
  await row(0).focus();
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('Shift+J');
  await expect.poll(() => chosen().count()).toBe(3);
  await page.keyboard.press('Shift+K');
  await expect.poll(() => chosen().count()).toBe(2);
  await page.keyboard.press('Escape');
  await expect.poll(() => chosen().count()).toBe(0);

  await row(1).getByRole('checkbox').check();
  await row(4)
    .getByRole('link')
    .click({ modifiers: ['Shift'] });
  await expect.poll(() => chosen().count()).toBe(4);
  await row(2)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await expect.poll(() => chosen().count()).toBe(2);
  expect(new URL(page.url()).pathname).toBe('/o/demo/p/DEMO/list');

  await page.keyboard.press('Control+a');
  await page.getByRole('region', { name: `${keys.length} selected` }).waitFor();
  await expect.poll(() => chosen().count()).toBe(keys.length);
  await accessible(page, 'many selected items');
  await picture(page, 'list-many');
  expect(at.ada.complaints).toEqual([]);
});

it('are changed by one request, said once, and taken back as one after a reload', async () => {
  const { page } = at.ada;
  const priorities = async () => {
    const all = await at.service.api<{ items: { key: string; priority: string }[] }>(
      'GET',
      '/orgs/demo/projects/DEMO/items?pageSize=100',
    );
    return Object.fromEntries(all.items.map(({ key, priority }) => [key, priority]));
  };
  const before = await priorities();
  const many = Object.keys(before).length;
  const set = async () => {
    await rows().first().focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('p');
    await page.getByRole('option', { name: 'Lowest' }).click();
  };
  await set();
  await page.getByText(`${many} items: priority changed`).waitFor();
  expect(await page.locator('[data-toasts] > *').count()).toBe(1);
  await expect.poll(async () => new Set(Object.values(await priorities()))).toEqual(new Set(['lowest']));
  expect(changes).toEqual(['POST /api/v1/orgs/demo/projects/DEMO/items/bulk']);
  await picture(page, 'list-many-changed');

  await page.reload();
  await rows().first().waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText(`Undone: ${many} items: priority changed`).waitFor();
  await expect.poll(priorities).toEqual(before);

  // What was taken back by key is not offered any more.
  await set();
  const offer = page.getByRole('button', { name: 'Undo' });
  await offer.waitFor();
  await page.keyboard.press('Control+z');
  await offer.waitFor({ state: 'detached' });
  await expect.poll(priorities).toEqual(before);
  expect(at.ada.complaints).toEqual([]);
});

it('say in one place which of them did not change', async () => {
  const { page } = at.ada;
  await page.route('**/items/bulk', async (route) => {
    const answer = await route.fetch();
    const { results } = await answer.json();
    const problem = {
      type: 'item-claimed',
      title: 'Claimed.',
      detail: 'Bot works on it.',
      status: 409,
      errors: {},
    };
    await route.fulfill({ json: { results: results.map(({ key }: { key: string }) => ({ key, problem })) } });
  });
  await rows().first().focus();
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('p');
  await page.getByRole('option', { name: 'Highest' }).click();
  const told = page.getByRole('alert');
  await told.getByText('2 items did not change.').waitFor();
  expect(await told.count()).toBe(1);
  expect(await told.textContent()).toMatch(/DEMO-\d+, DEMO-\d+: Bot works on it\./);
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await picture(page, 'list-many-refused');
});

it('are selected on the board, too', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/p/DEMO/board');
  const cards = page.locator('a[data-card]');
  await cards.first().waitFor();
  await cards.first().focus();
  await page.keyboard.press('Control+a');
  const all = await cards.count();
  await page.getByRole('region', { name: `${all} selected` }).waitFor();
  await page.keyboard.press('Escape');
  await cards.first().click({ modifiers: ['Shift'] });
  await cards.nth(2).click({ modifiers: ['Shift'] });
  await page.getByRole('region', { name: '3 selected' }).waitFor();
  await picture(page, 'board-many');
});
