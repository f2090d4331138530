/** Filters are written with names, taken with Enter, read as chips, and made with the mouse. */
import { expect, it } from 'vitest';
import { accessible, arriving, Person, picture } from '../harness';

const P = '/o/demo/p/DEMO';
const row = ({ page }: Person, key: string) => page.locator(`[data-card="${key}"]`);
const at = arriving(`${P}/list`, (ada) => row(ada, 'DEMO-1').waitFor());

const send = <T>(path: string, body: object) =>
  at.service.api<T>('POST', `/orgs/demo/projects/DEMO/${path}`, body);

it('suggests names, takes the only suggestion with Enter, and keeps names in the address', async () => {
  const { page } = at.ada;
  const { id } = await send<{ id: string }>('milestones', { name: 'First light' });
  const { key } = await send<{ key: string }>('items', { type: 'task', title: 'Shine', milestone: id });
  await page.reload();
  await row(at.ada, key).waitFor();
  const field = page.getByRole('combobox', { name: 'Filter' });
  await field.fill('mile');
  await page.getByRole('option', { name: /Milestone/ }).waitFor();
  await field.press('Enter');
  expect(await field.inputValue()).toBe('milestone:');
  await field.pressSequentially('light');
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual([expect.stringContaining('First light')]);
  await field.press('Enter');
  await page.getByRole('button', { name: 'Edit: Milestone First light' }).waitFor();
  await expect.poll(() => page.locator('[data-card]').count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('filter')).toContain('First light');
  await field.pressSequentially('assignee:owner');
  // What is a term in the making searches for no words.
  await row(at.ada, key).waitFor();
  await page.getByRole('option', { name: /Demo Owner/ }).waitFor();
  await picture(page, 'filter-suggests');
  await field.press('Enter');
  await page.getByText('Demo Owner', { exact: true }).first().waitFor();
  expect(new URL(page.url()).searchParams.get('filter')).toContain('assignee:"Demo Owner"');
  await accessible(page, 'a filter of names');
  await picture(page, 'filter-chips');

  // A filter of before, with an id, is read by its name too, and a chip can be written on.
  await page.goto(`${P}/list?filter=${encodeURIComponent(`milestone:${id}`)}`);
  await page.getByRole('button', { name: 'Edit: Milestone First light' }).click();
  expect(await field.inputValue()).toBe(`milestone:${id}`);
  await field.fill('due:friday ');
  await page.getByRole('button', { name: 'Edit: Due friday' }).waitFor();
  expect(await page.getByRole('search').getByRole('alert').count()).toBe(0);
  expect(at.ada.complaints).toEqual([]);
});

it('is made with the mouse alone', async () => {
  const { page } = at.ada;
  await page.goto(`${P}/board`);
  await row(at.ada, 'DEMO-3').waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Add a filter' });
  await popup.getByRole('option', { name: 'Type' }).waitFor();
  await picture(page, 'filter-menu-fields');
  await popup.getByRole('option', { name: 'Type' }).click();
  await popup.getByRole('option', { name: 'Bug' }).click();
  await popup.getByRole('option', { name: 'Epic' }).click();
  await page.getByRole('button', { name: 'Edit: Type Bug or Epic' }).waitFor();
  await accessible(page, 'the filter menu');
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await picture(page, 'filter-menu-dark');
  await popup.getByRole('option', { name: 'Bug' }).click();
  await row(at.ada, 'DEMO-3').waitFor();
  await expect.poll(() => page.locator('[data-card]').count()).toBe(1);
  await popup.getByRole('option', { name: 'All fields' }).click();
  await popup.getByRole('option', { name: /^Type/ }).waitFor();
});

it('is made on a phone', async () => {
  const ada = await Person.arrive(at.service, { width: 390, height: 844 });
  const { page } = ada;
  await ada.enter(at.demo.email, at.demo.password, `${P}/list?filter=state:active`);
  await row(ada, 'DEMO-3').waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const popup = page.getByRole('dialog', { name: 'Add a filter' });
  await popup.getByRole('option', { name: 'Assignee' }).click();
  await popup.getByRole('option', { name: 'Nobody' }).click();
  await page.getByRole('button', { name: 'Edit: Assignee Nobody' }).waitFor();
  await accessible(page, 'the filter menu on a phone');
  await picture(page, 'filter-phone');
  await ada.leave();
});
