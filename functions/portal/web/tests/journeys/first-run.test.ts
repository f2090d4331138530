/** Journey 1, as far as a browser alone gets: an empty instance becomes a board with an item on it. */
import { describe, expect, it } from 'vitest';
import { accessible, Person, picture, serving } from '../harness';

const at = serving({ demo: false });

describe('first run', () => {
  it('leads from an empty instance to a board, by keyboard alone', async () => {
    const ada = await Person.arrive(at.service);
    const { page } = ada;
    await page.goto('/');
    await page.waitForURL('**/setup');
    await accessible(page, 'account');
    await picture(page, 'setup-account');
    // The first field has the focus; Enter goes on.
    await page.keyboard.type('Ada Lovelace');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('a long enough password');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your organization' }).waitFor();
    await page.keyboard.type('Acme Works');
    expect(await page.getByLabel('Address').inputValue()).toBe('acme-works');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your first project' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Your first project' }).waitFor();
    await page.getByRole('textbox').first().focus();
    await page.keyboard.type('Web site');
    expect(await page.getByLabel('Key').inputValue()).toBe('WS');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'A machine for agents' }).waitFor();
    await accessible(page, 'runner');
    await page.reload();
    await page.getByRole('heading', { name: 'A machine for agents' }).waitFor();
    await page.getByRole('textbox').focus();
    await page.keyboard.type('build-1');
    await page.keyboard.press('Enter');
    await page.getByText('Copy it now').waitFor();
    expect(await page.locator('body').innerText()).toMatch(
      /SVC_RUNNER_TOKEN=jrn_\S+ svc runner register --url/,
    );
    // The machine connects, and the page is loaded anew: it leads on to a first run, and shows no second form.
    const token = /jrn_[\w-]+/.exec(await page.locator('body').innerText())?.[0];
    const hello = {
      machineId: '0b0e0b0e-0000-4000-8000-000000000001',
      clientVersion: '1.0.0',
      platform: 'linux-x64',
      harnesses: ['harness_1'],
      parallel: 1,
    };
    const headers = { authorization: `Bearer ${token}` };
    await ada.context.request.post('/api/v1/runner/hello', { headers, data: hello });
    await page.getByText('The machine is online.').waitFor();
    await page.reload();
    await page.getByText('The machine is online.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await accessible(page, 'a machine that is online');
    await picture(page, 'setup-online');
    await page.getByRole('button', { name: 'Start a first run' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/o/acme-works/p/WS/items/WS-2');
    await page
      .getByRole('dialog', { name: 'Start a run of WS-2' })
      .getByText('1 of 4 steps are done.')
      .waitFor();
    await page.goto('/setup?organization=acme-works&project=WS');
    await page.getByRole('button', { name: 'Open the board' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/o/acme-works/p/WS/board');
    await ada.card('WS-1').waitFor();
    await picture(page, 'setup-board');
    expect(ada.complaints).toEqual([]);
    await ada.leave();
  });

  it('is not offered again', async () => {
    const eve = await Person.arrive(at.service);
    await eve.page.goto('/setup');
    await eve.page.getByRole('heading', { name: 'This instance is set up already.' }).waitFor();
    await eve.leave();
  });
});
