/** Home lists what waits for a person, and nothing that is done. */
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/board', (ada) => ada.card('DEMO-1').waitFor());

it('lists what is assigned to the person until it is resolved', async () => {
  const { page } = at.ada;
  const { id: assignee } = await at.service.api<{ id: string }>('GET', '/me');
  const made = async (title: string) => {
    const body = { type: 'task', title, assignee };
    return at.service.api<{ key: string; version: number }>('POST', '/orgs/demo/projects/DEMO/items', body);
  };
  await made('Still to be done');
  let { key, version } = await made('Done already');
  for (const state of ['In progress', 'In review', 'Resolved']) {
    await at.service.api('POST', `/orgs/demo/items/${key}/transition`, { version, state });
    ({ version } = await at.service.api<{ version: number }>('GET', `/orgs/demo/items/${key}`));
  }
  await page.goto('/o/demo');
  const main = page.getByRole('main');
  await main.getByRole('link', { name: /Still to be done/ }).waitFor();
  expect(await main.getByText('Done already').count()).toBe(0);
  await accessible(page, 'home');
  await at.service.api('POST', `/orgs/demo/items/${key}/transition`, { version, state: 'In review' });
  await main.getByText('Done already').waitFor();
});

it('Activity tells what people made, moved, said and finished, beside what agents did', async () => {
  const { page } = at.ada;
  const changes = await at.service.api<{ version: number }>('GET', '/orgs/demo/items/DEMO-2');
  const priority = { version: changes.version, priority: 'lowest' };
  await at.service.api('PATCH', '/orgs/demo/items/DEMO-2', priority);
  for (let n = 1; n <= 30; n++)
    await at.service.api('POST', '/orgs/demo/projects/DEMO/items', { type: 'task', title: `Later ${n}` });
  const made = { type: 'task', title: 'Was made by hand' };
  const { key, version } = await at.service.api<{ key: string; version: number }>(
    'POST',
    '/orgs/demo/projects/DEMO/items',
    made,
  );
  await page.goto('/o/demo/activity?project=DEMO');
  const entry = page.getByRole('listitem').filter({ hasText: key });
  await entry.getByText('created', { exact: true }).waitFor();
  await entry.getByText('Was made by hand').first().waitFor();
  await at.service.api('POST', `/orgs/demo/items/${key}/transition`, { version, state: 'In progress' });
  // It is told while the page is open.
  const moved = entry.filter({ hasText: 'from Backlog to In progress' });
  await moved.getByText('Demo Owner').waitFor();
  await at.service.api('POST', `/orgs/demo/items/${key}/comments`, { body: 'Nearly **there**' });
  const said = entry.filter({ hasText: 'commented on' });
  await said.getByText('Nearly there', { exact: true }).waitFor();
  // How far back that is known is said, and more is asked for.
  const changed = page.getByRole('listitem').filter({ hasText: 'changed priority of DEMO-2' });
  expect(await changed.count()).toBe(0);
  await page.getByRole('button', { name: 'Show what happened to items before this' }).click();
  await changed.waitFor();
  await accessible(page, 'activity with items');
  await picture(page, 'activity-people');
  await page.getByLabel('Any status').selectOption('failed');
  await expect.poll(() => entry.count()).toBe(0);
  expect(at.ada.complaints).toEqual([]);
});
