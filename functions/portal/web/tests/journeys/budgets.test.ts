/** Budgets: a run waits for one and says so, leads to where it is raised, and begins when it is. */
import { afterAll, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';
import { join } from '../joining';
import { Runner } from '../runner';

const at = arriving('/o/demo/factory/budgets', (ada) =>
  ada.page.getByRole('heading', { name: 'Budgets', level: 1 }).waitFor(),
);
const runner = new Runner();
afterAll(() => runner.stop());

it('hold runs back, and let them go when they are raised', async () => {
  runner.start(at.service, at.demo.runnerSecret, 'DEMO');
  const { page } = at.ada;
  const whole = page.getByRole('region', { name: 'The whole organization' });
  await whole.getByText('no limit').first().waitFor();
  await accessible(page, 'no budget');
  await page.getByRole('button', { name: 'Change the budget: The whole organization' }).click();
  await page.getByLabel('Runs a day', { exact: true }).fill('0');
  await page.getByLabel('Minutes', { exact: true }).fill('30');
  await accessible(page, 'a budget is changed');
  await picture(page, 'budget-change');
  await page.getByRole('button', { name: 'Save' }).click();
  await whole.getByText('used up: runs wait').waitFor();
  await whole.getByText('One run may use 30 minutes.').waitFor();
  await picture(page, 'budgets');

  const run = await at.service.api<{ id: string }>('POST', '/orgs/demo/items/DEMO-1/runs', {});
  await page.goto(`/o/demo/factory/runs/${run.id}`);
  await page.getByText('Queued · over budget').first().waitFor();
  await page.getByText(/^The organization's budget for runs a day is used up/).waitFor();
  await accessible(page, 'a run that waits for a budget');
  await picture(page, 'run-over-budget');
  await page.goto('/o/demo/factory');
  await page.getByText('a budget is used up: The whole organization (runs today)').waitFor();
  await accessible(page, 'the factory, over budget');
  await page.goto(`/o/demo/factory/runs/${run.id}`);
  await page.getByRole('main').getByRole('link', { name: 'Budgets' }).click();
  await page.getByRole('button', { name: 'Change the budget: The whole organization' }).click();
  await page.getByLabel('Runs a day', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await whole.getByText('used up: runs wait').waitFor({ state: 'detached' });
  const status = async () =>
    (await at.service.api<{ status: string }>('GET', `/orgs/demo/runs/${run.id}`)).status;
  await expect.poll(status).toBe('succeeded');
  expect(at.ada.complaints).toEqual([]);
});

it('are made for a project, changed by two people, and removed', async () => {
  const { page } = at.ada;
  await page.getByRole('button', { name: 'New budget' }).click();
  await page.getByLabel('For').selectOption('project DEMO');
  await page.getByLabel('US dollars a day').fill('12.5');
  await accessible(page, 'a new budget');
  await page.getByRole('button', { name: 'Create budget' }).click();
  const own = page.getByRole('region', { name: 'Project DEMO' });
  await own.getByText('of $12.50').waitFor();

  // Somebody else changes another limit while this form is open: the first try says so, the second adds to it.
  await page.getByRole('button', { name: 'Change the budget: Project DEMO' }).click();
  const { version } = await at.service.api<{ version: number }>('GET', '/orgs/demo/budgets');
  await at.service.api('PATCH', '/orgs/demo/budgets', { version, project: 'DEMO', runsADay: 9 });
  await page.getByLabel('Runs at once').fill('3');
  const sent = () => page.getByRole('button', { name: 'Save' }).click();
  await sent();
  await expect
    .poll(async () => {
      if (await page.getByRole('dialog').getByRole('alert').isVisible()) await sent();
      return page.getByRole('dialog').count();
    })
    .toBe(0);
  await own.getByText('of 9').waitFor();
  await own.getByText('of 3').waitFor();

  await page.getByRole('button', { name: 'Remove the budget: Project DEMO' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await own.waitFor({ state: 'detached' });
});

it('are seen by operators, and not at all by others', async () => {
  const operator = await join(at, 'olga@example.com', 'member', { canStartAiWork: true });
  await operator.page.goto('/o/demo/factory/budgets');
  await operator.page.getByRole('region', { name: 'The whole organization' }).waitFor();
  expect(await operator.page.getByRole('button', { name: /budget/i }).count()).toBe(0);
  // On a phone, the tab of the page is in sight.
  await operator.page.setViewportSize({ width: 390, height: 844 });
  await operator.page.goto('/o/demo/factory/budgets');
  const tab = operator.page
    .getByRole('navigation', { name: 'Factory' })
    .getByRole('link', { name: 'Budgets' });
  await expect.poll(async () => right(await tab.boundingBox())).toBeLessThanOrEqual(390);
  await accessible(operator.page, 'budgets on a phone');
  await operator.leave();
  const stakeholder = await join(at, 'stan@example.com', 'stakeholder');
  await stakeholder.page.goto('/o/demo/factory/budgets');
  await stakeholder.page.getByText('This does not exist, or you may not see it.').waitFor();
  await stakeholder.leave();
});

function right(box: { x: number; width: number } | null): number {
  return box ? box.x + box.width : Number.POSITIVE_INFINITY;
}
