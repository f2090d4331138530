/** The whole story: an empty instance is set up, a machine connected, an item handed over, its diff remarked on, accepted. */
import { afterAll, expect, it } from 'vitest';
import { accessible, Person, picture, serving } from '../harness';
import { Runner } from '../runner';

const at = serving({ demo: false });
const runner = new Runner();
afterAll(() => runner.stop());

it('leads from an empty instance over a follow-up to an accepted change', async () => {
  const ada = await Person.arrive(at.service);
  const { page } = ada;
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await page.goto('/');
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await picture(page, 'story-01-account');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your organization' }).waitFor();
  await page.keyboard.type('Acme Works');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your first project' }).waitFor();
  await page.keyboard.type('Web site');
  await picture(page, 'story-02-project');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'A machine for agents' }).waitFor();
  await page.keyboard.type('build-1');
  await page.keyboard.press('Enter');

  const secret = page.getByRole('group', { name: 'Runner secret', exact: true }).locator('code');
  runner.start(at.service, (await secret.textContent()) ?? '', 'WS');
  await picture(page, 'story-03-machine');
  await page.getByText('The machine is online.').waitFor();
  await button('Open the board').click();
  await ada.card('WS-1').waitFor();
  await picture(page, 'story-04-board');

  await page.goto('/o/acme-works/factory/agents');
  await button('New agent').first().click();
  await page.getByLabel('Name').fill('Builder');
  await button('Create agent').click();
  await page.getByRole('list', { name: 'Agents' }).getByText('Builder').waitFor();
  await page.goto('/o/acme-works/factory/playbooks');
  await button('New playbook').first().click();
  await page.getByLabel('Name').fill('Implement');
  await page.getByLabel('On success, move to').selectOption('In review');
  await button('Create playbook').click();
  await page.getByRole('heading', { name: 'Implement', level: 1 }).waitFor();
  await accessible(page, 'the playbook');

  await page.goto('/o/acme-works/p/WS/board');
  await ada.card('WS-1').waitFor();
  await page.keyboard.press('c');
  await page.getByRole('dialog', { name: /New item/ }).waitFor();
  await page.keyboard.type('Say hello on the start page');
  await page.keyboard.press('Control+Enter');
  await ada.card('WS-2').click();
  await page.getByRole('heading', { name: 'Say hello on the start page' }).first().waitFor();
  await page.keyboard.press('r');
  await page.getByText(/Starts at once on/).waitFor();
  await picture(page, 'story-05-start');
  await button('Start run').click();
  await page.getByText('Ready for review').waitFor();
  await picture(page, 'story-06-review');
  await accessible(page, 'ready for review');

  // The diff is read, a line remarked on, and the agent goes on from there.
  await page.getByRole('link', { name: 'Review the changes' }).click();
  const file = page.getByRole('region', { name: 'docs/work/WS-2.md' });
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByRole('log').waitFor();
  await picture(page, 'story-07-log');
  await page.getByRole('tab', { name: 'Changes' }).click();
  await file.getByRole('button', { name: /^Remark on line 1 of/ }).click();
  await page.keyboard.type('Say who is greeted.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 remark not sent yet').waitFor();
  await picture(page, 'story-08-remark');
  await button('Ask Builder for changes').click();
  await expect.poll(runs).toEqual(['followUp succeeded', 'implement succeeded']);
  await page.goto('/o/acme-works/p/WS/items/WS-2');
  await page.getByText('Builder started a run.').waitFor();
  await page.getByText('Ready for review').waitFor();
  await picture(page, 'story-09-follow-up');
  await accessible(page, 'after a follow-up');
  await page.getByRole('button', { name: /^Accept: move to/ }).click();
  await expect.poll(state).toBe('Resolved');
  await page.getByText('Ready for review').waitFor({ state: 'detached' });
  await picture(page, 'story-10-accepted');
  await page.goto('/o/acme-works/p/WS/board');
  await ada.column('Resolved').locator('a[data-card="WS-2"]').waitFor();
  await picture(page, 'story-11-board');
  expect(ada.complaints).toEqual([]);
  await ada.leave();

  /** What the service says, whatever the page shows. */
  function asked<T>(path: string): Promise<T> {
    return page.evaluate(async (at) => (await fetch(at)).json(), `/api/v1/orgs/acme-works/items/WS-2${path}`);
  }

  async function state(): Promise<string> {
    return (await asked<{ state: string }>('')).state;
  }

  async function runs(): Promise<string[]> {
    const { items } = await asked<{ items: { kind: string; status: string }[] }>('/runs');
    return items.map(({ kind, status }) => `${kind} ${status}`);
  }
});
