/** From an organization without anything for agents to one that could start one: nobody is stuck, and nothing is left over. */
import { expect, it } from 'vitest';
import { accessible, Person, picture, serving } from '../harness';

const at = serving({ demo: false });

interface Signed {
  organizations: { slug: string }[];
}

it('leads through runner, agent, playbook and repository, and is gone then', async () => {
  const ada = await Person.arrive(at.service);
  const { page } = ada;
  const account = {
    displayName: 'Ada Lovelace',
    email: 'ada@example.com',
    password: 'a long enough password',
  };
  const { request } = ada.context;
  const headers = { 'x-svc-request': '1' };
  const send = async <T>(path: string, body: object): Promise<T> => {
    const answer = await request.post(`/api/v1${path}`, { headers, data: body });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return answer.json();
  };
  await send<Signed>('/auth/register', { ...account, organization: { name: 'Acme', slug: 'acme' } });
  await send('/orgs/acme/projects', { name: 'Web site', key: 'WS' });
  await send('/orgs/acme/projects/WS/items', { type: 'task', title: 'First' });

  await page.goto('/o/acme');
  const steps = page.getByRole('region', { name: 'Let agents work in Web site' });
  await steps.getByText('0 of 4 steps are done.').waitFor();
  await accessible(page, 'home with first steps');
  await picture(page, 'first-steps-home');

  // The start dialog says the same instead of ending.
  await page.goto('/o/acme/p/WS/items/WS-1');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Start a run of WS-1' });
  await dialog.getByRole('button', { name: 'Create “Coder”' }).click();
  await dialog.getByText('1 of 4 steps are done.').waitFor();
  await accessible(page, 'the start dialog with first steps');
  await picture(page, 'first-steps-start');
  await dialog.getByRole('button', { name: 'Take the usual playbook' }).click();
  // Both are there and chosen: the run could be started, and would wait for a machine.
  await dialog.getByLabel('Playbook').waitFor();
  expect(await dialog.getByLabel('Playbook').textContent()).toContain('Implement (default)');
  await dialog.getByRole('link', { name: 'Add a runner' }).click();
  await page.waitForURL('**/o/acme/factory/runners');
  const made = page.getByRole('dialog', { name: 'New runner' });
  await made.getByLabel('Name').fill('build-1');
  await made.getByRole('button', { name: 'Create runner' }).click();
  const secret = await page
    .getByRole('dialog')
    .getByText(/jrn_\S+/)
    .first()
    .textContent();
  await page.getByRole('button', { name: 'Close, I have copied the secret' }).click();

  await page.goto('/o/acme/factory');
  await steps.getByText('no machine has connected').waitFor();
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await accessible(page, 'the Factory with first steps, dark');
  await picture(page, 'first-steps-factory-dark');
  const token = /jrn_[\w-]+/.exec(secret ?? '')?.[0];
  const hello = {
    machineId: '0b0e0b0e-0000-4000-8000-000000000001',
    clientVersion: '1.0.0',
    platform: 'linux-x64',
    harnesses: ['harness_1'],
    parallel: 1,
  };
  const runnerHeaders = { authorization: `Bearer ${token}` };
  const said = await request.post('/api/v1/runner/hello', { headers: runnerHeaders, data: hello });
  expect(said.ok(), await said.text()).toBe(true);

  await steps.getByRole('button', { name: 'Set the repository' }).click();
  await page.waitForURL('**/p/WS/settings/factory');
  await page.getByLabel('Path hint').fill('~/src/site');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.goto('/o/acme/factory');
  await page.getByRole('heading', { name: 'Factory' }).waitFor();
  await ada.settled();
  expect(await steps.count()).toBe(0);
  expect(ada.complaints).toEqual([]);
  await ada.leave();
});

it('is for the people who can do it, and can be put away', async () => {
  const ada = await Person.arrive(at.service, { width: 390, height: 844 });
  const { page } = ada;
  await ada.enter('ada@example.com', 'a long enough password', '/o/acme');
  const headers = { 'x-svc-request': '1' };
  await ada.context.request.post('/api/v1/orgs/acme/projects', {
    headers,
    data: { name: 'Shop', key: 'SHOP' },
  });
  await ada.context.request.post('/api/v1/orgs/acme/agents', {
    headers,
    data: { name: 'Second', model: null },
  });
  await page.goto('/o/acme/p/SHOP/board');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto('/o/acme');
  const steps = page.getByRole('region', { name: 'Let agents work in Shop' });
  // Of several agents one is offered as the default.
  await steps.getByRole('button', { name: 'Make “Coder” the default' }).click();
  await steps.getByText('2 of 4 steps are done.').waitFor();
  await accessible(page, 'first steps on a phone');
  await picture(page, 'first-steps-phone');
  await steps.getByRole('button', { name: 'Not now' }).click();
  await steps.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await ada.settled();
  expect(await steps.count()).toBe(0);
  await ada.leave();
});
