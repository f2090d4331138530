/** Rules: made, fired, changed and deleted in the app; a firing shows its run, or why it started none. */
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/factory/rules', (ada) =>
  ada.page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor(),
);

interface Item {
  key: string;
  version: number;
}

async function entersProgress(title: string): Promise<string> {
  const made = { type: 'task', title, labels: ['greeting'] };
  const item = await at.service.api<Item>('POST', '/orgs/demo/projects/DEMO/items', made);
  const move = { version: item.version, state: 'In progress' };
  await at.service.api('POST', `/orgs/demo/items/${item.key}/transition`, move);
  return item.key;
}

it('hand items over, and say what they did', async () => {
  const { page } = at.ada;
  await page.getByText('No rule yet').waitFor();
  await accessible(page, 'no rule');
  await page.getByRole('button', { name: 'New rule' }).first().click();
  await page.getByLabel('Name').fill('Greetings go to the agent');
  await page.getByLabel('When an item enters').selectOption('In progress');
  await page.getByLabel('With the label').selectOption('greeting');
  await accessible(page, 'new rule');
  await picture(page, 'rule-new');
  await page.getByRole('button', { name: 'Create rule' }).click();
  await page.getByText('When an item with the label greeting enters In progress, start Implement').waitFor();
  await page.getByText('No rule has fired in the last 90 days.').waitFor();

  const key = await entersProgress('Greet in the morning');
  const firings = '/orgs/demo/projects/DEMO/rule-firings';
  const fired = async () => (await at.service.api<{ totalCount: number }>('GET', firings)).totalCount;
  await expect.poll(fired).toBe(1);
  await page.reload();
  const firing = page.getByRole('list', { name: 'What rules did' }).getByRole('link');
  await firing.waitFor();
  await accessible(page, 'firings');
  await picture(page, 'rules');
  expect(await firing.textContent()).toBe(`${key} entered In progress`);
  await firing.click();
  await page.getByRole('heading', { name: `Run of ${key}`, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'the rule Greetings go to the agent' }).waitFor();

  await page.goto('/o/demo/factory/rules');
  await page.getByRole('button', { name: 'More about Greetings go to the agent' }).click();
  await page.getByRole('menuitem', { name: 'Disable', exact: true }).click();
  await page.getByRole('list', { name: 'Rules' }).getByText('Disabled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'More about Greetings go to the agent' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No rule yet').waitFor();
  expect(at.ada.complaints).toEqual([]);
});

it('say why they started nothing', async () => {
  const { page } = at.ada;
  const rule = { state: 'In progress', playbook: 'Implement' };
  for (const name of ['First', 'Second'])
    await at.service.api('POST', '/orgs/demo/projects/DEMO/rules', { ...rule, name });
  const key = await entersProgress('Greet at noon');
  interface Firings {
    items: { item: string; skippedReason?: string }[];
  }
  const firings = '/orgs/demo/projects/DEMO/rule-firings';
  const skipped = async () => {
    const { items } = await at.service.api<Firings>('GET', firings);
    return items.filter(({ item, skippedReason }) => item === key && skippedReason).length;
  };
  await expect.poll(skipped).toBe(1);
  await page.goto('/o/demo/factory/rules');
  await page
    .getByRole('list', { name: 'What rules did' })
    .getByText(/^Skipped: .*live run/)
    .waitFor();
  await accessible(page, 'a firing that was skipped');
});
