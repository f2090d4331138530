/** The inbox: what others did is there at once, is counted, and leaves when it is done. */
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';
import { join } from '../joining';

const at = arriving('/o/demo/p/DEMO/board', (ada) => ada.card('DEMO-1').waitFor());

it('gathers what others did, live, and is worked through by keys', async () => {
  const { page } = at.ada;
  for (const item of ['DEMO-1', 'DEMO-2']) await at.service.api('PUT', `/orgs/demo/items/${item}/watch`);
  const gina = await join(at, 'gina@example.com', 'guest');
  const say = async (item: string, body: string) => {
    const reply = await gina.page.request.post(`${at.service.url}/api/v1/orgs/demo/items/${item}/comments`, {
      headers: { 'X-Svc-Request': '1' },
      data: { body },
    });
    expect(reply.status()).toBe(201);
  };
  await page.getByRole('link', { name: 'Inbox 1 unread' }).waitFor();
  await say('DEMO-1', 'one');
  await say('DEMO-1', 'two');
  await say('DEMO-2', 'three');
  await page.getByRole('link', { name: 'Inbox 3 unread' }).click();

  const main = page.getByRole('main');
  const entry = (text: string | RegExp) => main.getByRole('listitem').filter({ hasText: text });
  await entry('2 new comments').waitFor();
  await entry('gina joined').waitFor();
  expect(await main.getByRole('listitem').first().textContent()).toContain('DEMO-2');
  await accessible(page, 'inbox');
  await picture(page, 'inbox');
  await say('DEMO-1', 'four');
  await entry('3 new comments').waitFor();
  expect(await main.getByRole('listitem').first().textContent()).toContain('DEMO-1');

  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await expect.poll(() => entry('3 new comments').count()).toBe(0);
  await page.getByRole('link', { name: 'Inbox 2 unread' }).waitFor();
  await page.keyboard.press('u');
  await page.getByRole('link', { name: 'Inbox 1 unread' }).waitFor();
  await page.keyboard.press('o');
  await page.waitForURL('**/o/demo/p/DEMO/items/DEMO-2');
  await page.goBack();
  await main.getByRole('button', { name: 'Mark all as done' }).click();
  await main.getByText('You are up to date').waitFor();
  await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor();
  expect(at.ada.complaints).toEqual([]);
  await gina.leave();
});

it('says of a comment that was sent which of its mentions reach nobody', async () => {
  const { page } = at.ada;
  const reason = 'DEMO has nobody called robyn.';
  const reach = [{ name: 'robyn', who: null, outcome: 'nobody', reason }];
  await page.route('**/comments', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, json: { ...(await response.json()), reach } });
  });
  await page.goto('/o/demo/p/DEMO/items/DEMO-3');
  await page.getByRole('button', { name: 'Write a comment…' }).click();
  await page.getByRole('textbox', { name: 'Write a comment…' }).waitFor();
  await page.keyboard.type('@robyn please look');
  await page.keyboard.press('Control+Enter');
  const comment = page.getByRole('article', { name: 'Demo Owner' }).filter({ hasText: '@robyn' });
  await comment.getByText(reason).waitFor();
  expect(await at.ada.announced()).toBe(reason);
  await accessible(page, 'a mention of nobody');
  await picture(page, 'item-unreached');
});
