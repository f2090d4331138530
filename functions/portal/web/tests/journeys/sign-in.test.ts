/**
 * Journey 2: wrong and right passwords, coming back to where one was, an ended session over a draft, signing out, and a
 * browser with a cookie that the service does not know.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessible, Person, picture, serving, signIn } from '../harness';
import { join } from '../joining';
import { Service } from '../service';

const at = serving();

/** Writes a comment on the item's page, and leaves it in its field. */
async function compose(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Write a comment…' }).click();
  await page.getByRole('textbox', { name: 'Write a comment…' }).waitFor();
  await page.keyboard.type(text);
}

describe('sign-in', () => {
  it('says that a password is wrong, and leads to where the person was going', async () => {
    const ada = await Person.arrive(at.service);
    const { page } = ada;
    await page.goto('/o/demo/p/DEMO/items/DEMO-1');
    await page.waitForURL('**/sign-in?**');
    await accessible(page, 'sign-in');
    await picture(page, 'sign-in');
    await page.getByLabel('E-mail').fill(at.demo.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The address or the password is wrong.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(at.demo.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/o/demo/p/DEMO/items/DEMO-1');
    await page.getByText('Greet people by name').first().waitFor();
    expect(ada.complaints).toEqual([]);
    await ada.leave();
  });

  it('never leads to another host', async () => {
    const ada = await Person.arrive(at.service);
    await ada.signIn(at.demo.email, at.demo.password, '//evil.example/x');
    expect(new URL(ada.page.url()).host).toBe(new URL(at.service.url).host);
    await ada.leave();
  });

  it('keeps the page and the draft when the session ends', async () => {
    const ada = await Person.arrive(at.service);
    const { page } = ada;
    await ada.signIn(at.demo.email, at.demo.password, '/o/demo/p/DEMO/items/DEMO-2');
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await page.locator('[data-editor]').waitFor();
    await page.keyboard.type('Half a thought');
    await ada.context.clearCookies();
    await page.getByRole('tab', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(at.demo.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: /Comments/ }).click();
    await page.getByText('Half a thought').waitFor();
    await ada.leave();
  });

  it('sends nothing that one person wrote under the name of the next', async () => {
    const mem = await join(at, 'mem@example.com', 'admin');
    await mem.leave();
    const ada = await Person.arrive(at.service);
    const { page } = ada;
    const item = '/o/demo/p/DEMO/items/DEMO-2';
    await ada.signIn(at.demo.email, at.demo.password, item);
    const tab = await ada.context.newPage();
    tab.setDefaultTimeout(45_000);
    await tab.goto(item);
    await compose(tab, 'Typed by Ada');
    await ada.context.clearCookies();
    // It waits in this page; the dialog lets only Ada in.
    await compose(page, 'Sent by Ada');
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('E-mail').isEditable()).toBe(false);
    await accessible(page, 'an ended session');
    await dialog.getByRole('button', { name: 'Use another account' }).click();
    await page.waitForURL('**/sign-in');
    // The tab in which Ada still types is loaded anew when somebody else is signed in.
    const loaded = tab.waitForEvent('load');
    await signIn(
      page,
      `/sign-in?to=${encodeURIComponent(item)}`,
      'mem@example.com',
      'a long enough password',
    );
    await loaded;
    await compose(page, 'Sent by Mem');
    await page.keyboard.press('Control+Enter');
    const comments = async () => {
      const address = '/orgs/demo/items/DEMO-2/comments?pageSize=100';
      const { items } = await at.service.api<{ items: { body: string }[] }>('GET', address);
      return items.map(({ body }) => body).filter((body) => / by (Ada|Mem)$/.test(body));
    };
    await expect.poll(comments).toEqual(['Sent by Mem']);
    await tab.getByText('Sent by Mem').first().waitFor();
    expect(await tab.getByText(/by Ada/).count()).toBe(0);
    expect(ada.complaints).toEqual([]);
    await ada.leave();
  });

  it('leaves nothing behind at sign-out', async () => {
    const ada = await Person.arrive(at.service);
    const { page } = ada;
    await ada.signIn(at.demo.email, at.demo.password, '/o/demo/p/DEMO/board');
    await ada.card('DEMO-1').waitFor();
    // What is kept is written a moment after it came.
    await expect.poll(() => page.evaluate(() => indexedDB.databases().then((all) => all.length))).toBe(1);
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect(await page.evaluate(() => indexedDB.databases().then((all) => all.length))).toBe(0);
    await ada.leave();
  });

  it('leads to a page with the reason when another site sends somebody back in vain', async () => {
    const ada = await Person.arrive(at.service);
    const { page } = ada;
    await page.goto('/api/v1/auth/oidc/callback?code=a&state=b');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('alert').getByText('This instance has no identity provider').waitFor();
    await accessible(page, 'back from a provider');
    await ada.signIn(at.demo.email, at.demo.password);
    await page.goto('/api/v1/code-host/callback?state=b');
    await page.getByRole('heading', { name: 'The code host is not connected' }).waitFor();
    await page.getByRole('alert').waitFor();
    await accessible(page, 'back from a code host');
    // The reason is told once; a link that somebody sends has none of its own.
    await page.reload();
    await page.getByText('This attempt has expired').waitFor();
    expect(ada.complaints).toEqual([]);
    await ada.leave();
  });
});

describe('a browser whose session the service does not know', () => {
  const item = '/o/demo/p/DEMO/items/DEMO-1';

  it('signs in again when the session was revoked elsewhere: in the dialog, and on the page', async () => {
    const ada = await Person.arrive(at.service);
    const { page } = ada;
    await ada.signIn(at.demo.email, at.demo.password, item);
    await page.getByText('As a visitor I want').waitFor();
    await revokeElsewhere();
    await page.getByRole('tab', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(at.demo.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    // What was refused meanwhile is asked for again.
    await page.getByText('created the item').waitFor();

    await revokeElsewhere();
    await signIn(page, `/sign-in?to=${encodeURIComponent(item)}`, at.demo.email, at.demo.password);
    await page.getByText('As a visitor I want').waitFor();
    expect(ada.complaints).toEqual([]);
    await ada.leave();
  });

  it('signs in at a second instance on another port, and at one that began anew there', async () => {
    const ada = await Person.arrive(at.service);
    const { page } = ada;
    await ada.signIn(at.demo.email, at.demo.password, item);
    await page.getByText('As a visitor I want').waitFor();

    const second = await Service.start({ demo: true });
    await signInAt(page, second);
    const port = Number(new URL(second.direct).port);
    const shownAt = Number(new URL(second.url).port);
    await page.goto('about:blank');
    await second.stop();

    // The same address, another data directory; the browser keeps what it had of the one before.
    const anew = await Service.start({ demo: true, port, shownAt });
    await signInAt(page, anew);
    await page.reload();
    await page.getByText('As a visitor I want').waitFor();
    await anew.stop();
    await ada.leave();
  });

  /** Ends all sessions of the demo's owner, from another browser. */
  async function revokeElsewhere(): Promise<void> {
    const other = await Person.arrive(at.service);
    await other.enter(at.demo.email, at.demo.password, '/settings/sessions');
    const headers = { 'x-svc-request': '1' };
    const answer = await other.context.request.get('/api/v1/me/sessions');
    const sessions = (await answer.json()) as { id: string; current: boolean }[];
    for (const { id } of sessions.filter(({ current }) => !current))
      await other.context.request.delete(`/api/v1/me/sessions/${id}`, { headers });
    await other.leave();
  }

  async function signInAt(page: Page, { url, demo }: Service): Promise<void> {
    const address = `${url}/sign-in?to=${encodeURIComponent(item)}`;
    await signIn(page, address, demo?.email ?? '', demo?.password ?? '');
    await page.getByText('As a visitor I want').waitFor();
  }
});
