/** By what items are put together, in lists and on boards, and how a new one gets its fields. */
import { expect, it } from 'vitest';
import { accessible, arriving, chooseField, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/list', (ada) => ada.page.locator('[data-card="DEMO-1"]').waitFor());

const names = (selector: string) =>
  at.ada.page.locator(selector).evaluateAll((all) => all.map((one) => one.textContent?.trim() ?? ''));

it('a list is grouped by label, with every item under each of its own, and stays so', async () => {
  const { page } = at.ada;
  await at.service.api('POST', '/orgs/demo/projects/DEMO/items', {
    type: 'task',
    title: 'Of two labels',
    labels: ['alpha 2', 'alpha 10'],
  });
  await page.getByRole('button', { name: /^Group: State/ }).click();
  await page
    .getByRole('menuitemradio', { name: 'Label' })
    .or(page.getByRole('menuitem', { name: 'Label' }))
    .click();
  await page.getByRole('row', { name: /^alpha 2 1/ }).waitFor();
  await expect.poll(() => page.getByText('Of two labels').count()).toBe(2);
  const heads = await names('[role=row] > [class*=groupName]');
  expect(heads.indexOf('alpha 2 1')).toBeLessThan(heads.indexOf('alpha 10 1'));
  await accessible(page, 'list by label');
  await picture(page, 'list-by-label');

  // The address says it, and where it does not, what was chosen last holds.
  expect(page.url()).toContain('group=label');
  await page.goto('/o/demo/p/DEMO/list');
  await page.getByRole('button', { name: 'Group: Label' }).waitFor();
  await page.getByRole('row', { name: /^alpha 10 1/ }).waitFor();
  expect(at.ada.complaints).toEqual([]);
});

it('a board keeps its lanes', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/p/DEMO/board');
  await page.getByRole('button', { name: 'Lanes' }).click();
  await page
    .getByRole('menuitemradio', { name: 'Sprint' })
    .or(page.getByRole('menuitem', { name: 'Sprint' }))
    .click();
  await page.getByRole('region', { name: 'No sprint' }).waitFor();
  await picture(page, 'board-by-sprint');
  await page.goto('/o/demo/p/DEMO/board');
  await page.getByRole('region', { name: 'No sprint' }).waitFor();
  await page.getByRole('button', { name: 'Lanes: Sprint' }).click();
  await page
    .getByRole('menuitemradio', { name: 'None' })
    .or(page.getByRole('menuitem', { name: 'None' }))
    .click();
  await page.getByRole('region', { name: 'No sprint' }).waitFor({ state: 'detached' });
});

it('a new item gets every field from its chips, by the keyboard', async () => {
  const { page } = at.ada;
  const milestone = await at.service.api<{ id: string }>('POST', '/orgs/demo/projects/DEMO/milestones', {
    name: 'First light',
  });
  await page.goto('/o/demo/p/DEMO/board');
  await page.locator('[data-card="DEMO-1"]').waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: /New item/ });
  await dialog.getByLabel('Title', { exact: true }).fill('All of it');
  const choose = async (field: string, typed: string) => {
    await dialog.getByRole('button', { name: field, exact: true }).focus();
    await page.keyboard.press('Enter');
    const box = page.getByRole('combobox').last();
    await box.waitFor();
    await page.keyboard.type(typed);
    await page.getByRole('option').first().waitFor();
    if (field === 'Parent') await page.getByRole('option', { name: /^DEMO-1 / }).waitFor();
    await page.keyboard.press('Enter');
    if (field === 'Labels') await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
  };
  await choose('Assignee', 'demo owner');
  await choose('Labels', 'brand new');
  await choose('Due day', '2031-12-01');
  await choose('Milestone', 'first');
  await choose('Parent', 'DEMO-1');
  await dialog.getByRole('button', { name: 'Estimate', exact: true }).click();
  await page.getByRole('dialog', { name: 'Estimate' }).getByLabel('Estimate').fill('5');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Estimate: 5 points' }).waitFor();
  await accessible(page, 'create with chips');
  await picture(page, 'create-chips');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  interface Made {
    items: {
      title: string;
      labels: string[];
      due?: string;
      milestone?: string;
      parent?: string;
      estimate?: number;
    }[];
  }
  const made = async () =>
    (await at.service.api<Made>('GET', '/orgs/demo/projects/DEMO/items?q=All&pageSize=100')).items.find(
      ({ title }) => title === 'All of it',
    );
  await expect.poll(made).toMatchObject({
    labels: ['brand new'],
    due: '2031-12-01',
    milestone: milestone.id,
    parent: 'DEMO-1',
    estimate: 5,
  });
  expect(at.ada.complaints).toEqual([]);
});

it('begins with the only template of its type, and forgets it with the type', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/p/DEMO/board');
  await page.locator('[data-card="DEMO-1"]').waitFor();
  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog', { name: /New item/ });
  const begun = dialog.locator('.cm-content', { hasText: 'Steps to reproduce' });
  await chooseField(page, dialog, 'Type', 'Bug');
  await dialog.getByRole('button', { name: 'Template: Bug report' }).waitFor();
  await begun.waitFor();
  await chooseField(page, dialog, 'Template', 'No template');
  await begun.waitFor({ state: 'detached' });
  await chooseField(page, dialog, 'Template', 'Bug report');
  await begun.waitFor();
  await chooseField(page, dialog, 'Type', 'Task');
  await begun.waitFor({ state: 'detached' });
  // What was not the person's own is no draft either.
  await chooseField(page, dialog, 'Type', 'Bug');
  await begun.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await dialog.getByRole('button', { name: 'Type: Task' }).waitFor();
  await begun.waitFor({ state: 'detached' });
  expect(at.ada.complaints).toEqual([]);
});
