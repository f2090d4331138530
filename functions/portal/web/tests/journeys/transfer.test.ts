/** An item is moved to another project: it keeps what belongs to it, and its old key leads to it. */
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/board', (ada) => ada.card('DEMO-1').waitFor());

interface Item {
  key: string;
}

async function made(body: object): Promise<string> {
  return (await at.service.api<Item>('POST', '/orgs/demo/projects/DEMO/items', { type: 'task', ...body }))
    .key;
}

it('goes to another project and is found by its old key', async () => {
  const { page } = at.ada;
  await at.service.api('POST', '/orgs/demo/projects', { key: 'WEB', name: 'Web site' });
  const key = await made({ title: 'Belongs to the web site', body: 'With *words*.' });
  await at.service.api('POST', `/orgs/demo/items/${key}/comments`, { body: 'Somebody said so.' });
  await page.goto(`/o/demo/p/DEMO/items/${key}`);
  await page.getByRole('heading', { name: 'Belongs to the web site' }).first().waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  await page.getByRole('menuitem', { name: 'Move to another project…' }).click();
  await page.getByLabel('Project', { exact: true }).selectOption('WEB');
  await accessible(page, 'an item is moved to another project');
  await picture(page, 'transfer');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.waitForURL('**/o/demo/p/WEB/items/WEB-1');
  await page.getByRole('heading', { name: 'Belongs to the web site' }).first().waitFor();
  await page.getByText('Somebody said so.').waitFor();
  await page.goto('/o/demo/p/DEMO/board');
  await at.ada.card('DEMO-1').waitFor();
  await at.ada.card(key).waitFor({ state: 'detached' });

  // The old address leads to where it is now, on a page and beside a board.
  await page.goto(`/o/demo/p/DEMO/items/${key}`);
  await page.waitForURL('**/o/demo/p/WEB/items/WEB-1');
  await page.goto(`/o/demo/p/DEMO/board?peek=${key}`);
  await page.getByRole('heading', { name: 'Belongs to the web site' }).waitFor();
  expect(at.ada.complaints).toEqual([]);
});

const askToMove = async () => {
  const { page } = at.ada;
  await page.getByRole('button', { name: 'More', exact: true }).first().click();
  return page.getByRole('menuitem', { name: /Move to another project/ });
};

it('takes its subtasks along, and says how many before', async () => {
  const { page } = at.ada;
  const key = await made({ type: 'story', title: 'Goes with its parts' });
  const parts = [];
  for (const title of ['First part', 'Second part'])
    parts.push(await made({ type: 'subtask', title, parent: key }));
  await page.goto(`/o/demo/p/DEMO/items/${key}`);
  await page.getByRole('link', { name: /Second part/ }).waitFor();
  await (await askToMove()).click();
  await page.getByText(`Its 2 subtasks ${parts.join(' and ')} go along`).waitFor();
  await page.getByLabel('Project', { exact: true }).selectOption('WEB');
  await accessible(page, 'an item with subtasks is moved to another project');
  await picture(page, 'transfer-subtasks');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.waitForURL(/\/o\/demo\/p\/WEB\/items\/WEB-\d+$/);
  await page.getByRole('link', { name: /First part/ }).waitFor();
  await page.getByRole('link', { name: /Second part/ }).waitFor();
  await page.goto(`/o/demo/p/DEMO/items/${parts[0]}`);
  await page.waitForURL(/\/o\/demo\/p\/WEB\/items\/WEB-\d+$/);
  expect(at.ada.complaints).toEqual([]);
});

it('takes many subtasks along, and leaves the children of an epic where they are if asked', async () => {
  const { page } = at.ada;
  const key = await made({ type: 'story', title: 'Has many subtasks' });
  for (let n = 1; n <= 6; n++) await made({ type: 'subtask', title: `Part ${n} of many`, parent: key });
  await page.goto(`/o/demo/p/DEMO/items/${key}`);
  await page.getByRole('link', { name: /Part 6 of many/ }).waitFor();
  await (await askToMove()).click();
  await page.getByText('Its 6 subtasks go along and get new keys, too.').waitFor();
  await page.getByLabel('Project', { exact: true }).selectOption('WEB');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.waitForURL(/\/o\/demo\/p\/WEB\/items\/WEB-\d+$/);
  for (const n of [1, 6]) await page.getByRole('link', { name: `Part ${n} of many` }).waitFor();

  const epic = await made({ type: 'epic', title: 'Leaves its child' });
  const child = await made({ type: 'story', title: 'Stays here', parent: epic });
  await page.goto(`/o/demo/p/DEMO/items/${epic}`);
  await page.getByRole('link', { name: /Stays here/ }).waitFor();
  await (await askToMove()).click();
  await page.getByLabel('Move its children along').uncheck();
  await page.getByText(`${child} belongs to it and goes along with all below it.`).waitFor();
  await page.getByLabel('Project', { exact: true }).selectOption('WEB');
  await accessible(page, 'an epic is moved without its children');
  await picture(page, 'transfer-children');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.waitForURL(/\/o\/demo\/p\/WEB\/items\/WEB-\d+$/);
  await page.goto(`/o/demo/p/DEMO/items/${child}`);
  await page.getByRole('heading', { name: 'Stays here' }).first().waitFor();
  expect(page.url()).toContain(child);
  expect(at.ada.complaints).toEqual([]);
});
