/** Milestones: made, given to an item, followed by what is done of them, closed and deleted. */
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/milestones', (ada) =>
  ada.page.getByRole('heading', { name: 'Milestones', level: 1 }).waitFor(),
);

it('gather items, and show how far they are', async () => {
  const { page } = at.ada;
  await page.getByText('No milestone yet').waitFor();
  await accessible(page, 'no milestone');
  await page.getByRole('button', { name: 'New milestone' }).first().click();
  await page.getByLabel('Name').fill('First customers');
  await page.getByLabel('Due day').fill('2027-03-01');
  await page.getByLabel('What it is about').fill('Ten people are greeted each day.');
  await accessible(page, 'new milestone');
  await page.getByRole('button', { name: 'Create milestone' }).click();
  const open = page.getByRole('list', { name: 'Open' });
  await open.getByText('No items').waitFor();

  const body = { type: 'task', title: 'Belongs to a goal' };
  const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', body);
  await page.goto(`/o/demo/p/DEMO/items/${key}`);
  await page.locator('[data-property="milestone"]').click();
  await page.getByRole('option', { name: 'First customers' }).click();
  await page.locator('[data-property="milestone"]').getByText('First customers').waitFor();
  const held = async () =>
    (await at.service.api<{ milestone?: string }>('GET', `/orgs/demo/items/${key}`)).milestone !== undefined;
  await expect.poll(held).toBe(true);
  await accessible(page, 'an item of a milestone');

  await page.goto('/o/demo/p/DEMO/milestones');
  await open.getByText('0 of 1 done').waitFor();
  await accessible(page, 'milestones');
  await picture(page, 'milestones');
  await open.getByRole('link', { name: 'First customers' }).click();
  await page.getByRole('heading', { name: 'First customers', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Backlog' }).getByText('Belongs to a goal').waitFor();
  await page.getByRole('img', { name: /at the end of each week/ }).waitFor();
  await accessible(page, 'a milestone');
  await picture(page, 'milestone');
  await page.getByRole('link', { name: 'Open in the list' }).click();
  await page.waitForURL('**/list?**');
  await page.getByText('Belongs to a goal').first().waitFor();
  await page.getByText('Greet people by name').waitFor({ state: 'detached' });

  await page.goto('/o/demo/p/DEMO/milestones');
  await page.getByRole('button', { name: 'More about First customers' }).click();
  await page.getByRole('menuitem', { name: 'Close', exact: true }).click();
  await page.getByRole('list', { name: 'Closed' }).getByText('First customers').waitFor();
  await page.getByRole('button', { name: 'More about First customers' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No milestone yet').waitFor();
  await expect.poll(held).toBe(false);
  expect(at.ada.complaints).toEqual([]);
});
