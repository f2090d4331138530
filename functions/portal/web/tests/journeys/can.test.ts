/** What the app offers of items is what the service says one may do with them, whatever a role would allow. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessible, Person, serving } from '../harness';

const at = serving();
const NOTHING = {
  edit: false,
  comment: true,
  start: false,
  transition: false,
  delete: false,
  configure: false,
};

/** Has the service say of the project's items, and of each by itself, that nothing may be done with them. */
async function allowNothing(page: Page): Promise<void> {
  const says = /\/api\/v1\/orgs\/demo\/(projects\/DEMO\/(board|items)|items\/DEMO-\d+)(\?|$)/;
  await page.route(says, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, json: { ...(await response.json()), can: NOTHING } });
  });
}

it('offers on board, list and item what the service says one may do', async () => {
  const ada = await Person.arrive(at.service);
  const { page } = ada;
  const create = page.getByRole('button', { name: 'Create item', exact: true });
  await ada.signIn(at.demo.email, at.demo.password, '/o/demo/p/DEMO/board');
  await ada.card('DEMO-2').waitFor();
  await create.waitFor();

  await allowNothing(page);
  // What this browser keeps of before is asked for again, however young it is.
  await page.reload();
  await ada.card('DEMO-2').waitFor();
  await create.waitFor({ state: 'detached' });
  await accessible(page, 'a board to look at');
  await page.goto('/o/demo/p/DEMO/list');
  await page.locator('[data-card="DEMO-2"]').waitFor();
  await create.waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: /^Priority/ }).count()).toBe(0);
  await page.goto('/o/demo/p/DEMO/items/DEMO-2');
  await page.getByRole('button', { name: 'Write a comment…' }).waitFor();
  for (const name of ['Start', 'Edit', 'Claim', 'Add subtask'])
    await page.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Copy key' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /Delete/ }).count()).toBe(0);
  expect(ada.complaints).toEqual([]);
  await ada.leave();
});

it('offers in sprints and the wiki, and by keys, what the service says one may do', async () => {
  const ada = await Person.arrive(at.service);
  const { page } = ada;
  await allowNothing(page);
  await ada.signIn(at.demo.email, at.demo.password, '/o/demo/p/DEMO/sprints');
  const gone = (name: string) =>
    page.getByRole('button', { name, exact: true }).first().waitFor({ state: 'detached' });
  for (const [path, heading, button] of [
    ['sprints', 'Sprints', 'New sprint'],
    ['wiki', 'Wiki', 'New page'],
    ['milestones', 'Milestones', 'New milestone'],
  ] as const) {
    const said = page.waitForResponse(/\/projects\/DEMO\/items\?pageSize=1/);
    await page.goto(`/o/demo/p/DEMO/${path}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await said;
    await gone(button);
  }
  await page.keyboard.press('c');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await page.getByText('Create item', { exact: true }).count()).toBe(0);
  expect(ada.complaints).toEqual([]);
  await ada.leave();
});

it('lets nobody configure a project in the Factory whom the service does not let', async () => {
  const ada = await Person.arrive(at.service);
  const { page } = ada;
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first();
  const pages = [
    ['playbooks', 'New playbook'],
    ['rules', 'New rule'],
    ['schedules', 'New schedule'],
  ] as const;
  await ada.signIn(at.demo.email, at.demo.password, '/o/demo/factory/playbooks');
  await button('New playbook').waitFor();
  await page.getByRole('link', { name: 'Implement' }).click();
  await button('Delete…').waitFor();
  await button('Edit').waitFor();
  const playbook = page.url();

  await allowNothing(page);
  await page.reload();
  await page.getByRole('heading', { name: 'Instructions' }).waitFor();
  for (const name of ['Delete…', 'Edit']) await button(name).waitFor({ state: 'detached' });
  expect(page.url()).toBe(playbook);
  for (const [path, make] of pages) {
    const said = page.waitForResponse(/\/projects\/DEMO\/items\?pageSize=1/);
    await page.goto(`/o/demo/factory/${path}`);
    await said;
    await button(make).waitFor({ state: 'detached' });
  }
  expect(ada.complaints).toEqual([]);
  await ada.leave();
});

it('asks once who is here on a cold board, and for what one may do with the board itself', async () => {
  const ada = await Person.arrive(at.service);
  await ada.signIn(at.demo.email, at.demo.password, '/o/demo');
  const { cookies } = await ada.context.storageState();
  await ada.leave();
  // A browser that has the session and keeps nothing else.
  const cold = await Person.arrive(at.service);
  await cold.context.addCookies(cookies);
  const asked: string[] = [];
  cold.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}${search}`);
  });
  await cold.page.goto('/o/demo/p/DEMO/board');
  await cold.card('DEMO-2').waitFor();
  await cold.page.getByRole('button', { name: 'Create item', exact: true }).waitFor();
  await cold.warm();
  await cold.settled();
  expect(asked.filter((request) => request === 'GET /api/v1/me')).toHaveLength(1);
  expect(asked.filter((request) => /\/items\?|\/workflow/.test(request))).toEqual([]);
  expect(asked.length).toBeLessThanOrEqual(12);
  await cold.leave();
});
