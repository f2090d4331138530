/** What an app meets outside of a test: a full disk, a wrong clock, a busy service, and an API that is newer than the app. */
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const P = '/o/demo/p/DEMO';
const at = arriving(`${P}/board`, (ada) => ada.card('DEMO-1').waitFor());

/** Lets a request through, and changes what is answered. */
async function answered(page: Page, address: RegExp, change: (body: Json) => void, headers = {}) {
  await page.route(address, async (route: Route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const body = (await response.json()) as Json;
    change(body);
    await route.fulfill({ response, json: body, headers: { ...response.headers(), ...headers } });
  });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are changed in ways that the contract does not know.
type Json = any;

describe('the app', () => {
  it('works where the browser keeps nothing', async () => {
    const { page } = at.ada;
    await page.addInitScript(() => {
      const full = () => {
        throw new DOMException('The quota is used up.', 'QuotaExceededError');
      };
      IDBObjectStore.prototype.put = full;
      IDBObjectStore.prototype.add = full;
      Storage.prototype.setItem = full;
    });
    await page.reload();
    await at.ada.card('DEMO-2').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await at.ada.column('In progress').locator('[data-card="DEMO-2"]').waitFor();
    const state = async () =>
      (await at.service.api<{ state: string }>('GET', '/orgs/demo/items/DEMO-2')).state;
    await expect.poll(state).toBe('In progress');
    await page.goto(`${P}/items/DEMO-2`);
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    await page.getByRole('textbox', { name: 'Write a comment…' }).waitFor();
    await page.keyboard.type('Kept by nobody but the service');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').getByText('Kept by nobody but the service').waitFor();
    expect(at.ada.complaints).toEqual([]);
  });

  it('tells true ages where the clock of the browser is wrong by a day', async () => {
    const { page } = at.ada;
    await page.addInitScript(() => {
      const { now } = Date;
      Date.now = () => now.call(Date) - 24 * 3_600_000;
    });
    await at.service.api('POST', '/orgs/demo/items/DEMO-1/comments', { body: 'Written just now' });
    await page.goto(`${P}/items/DEMO-1`);
    const comment = page.getByRole('article').filter({ hasText: 'Written just now' });
    await comment.getByText(/^(now|\d+ ?min\.? ago)$/).waitFor();
  });

  it('shows values that it does not know by their own names', async () => {
    const { page } = at.ada;
    const known = await at.service.api<Json>('GET', '/orgs/demo/items/DEMO-3');
    const unknown = { type: 'incident', priority: 'urgent', stateGroup: 'parked', state: 'Parked' };
    const item = { ...known, ...unknown, version: known.version + 1 };
    await answered(page, /\/projects\/DEMO\/(board|changes)(\?|$)/, (answer) => {
      if (!answer.reload)
        answer.items = [...answer.items.filter((other: Json) => other.key !== item.key), item];
    });
    await answered(page, /\/api\/.*\/items\/DEMO-3\/history/, (history) => {
      const [entry] = history.items;
      if (entry) Object.assign(entry, { action: 'teleported', field: 'orbit', to: 'Mars' });
    });
    await page.goto(`${P}/items/DEMO-3`);
    await page.locator('[data-property=priority]').getByText('urgent', { exact: false }).waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText(/teleported/).waitFor();
    await accessible(page, 'unknown values');
    await picture(page, 'unknown-values');
    expect(at.ada.complaints).toEqual([]);
  });

  it('tells administrators that it uses a part of the API that is to go', async () => {
    const { page } = at.ada;
    const headers = { deprecation: 'true', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' };
    await answered(page, /\/api\/.*\/items\/DEMO-1(\?|$)/, () => {}, headers);
    await page.goto(`${P}/items/DEMO-1`);
    await page.getByText(/This page uses a deprecated part of the API: .*DEMO-1.*2027/).waitFor();
    await accessible(page, 'a deprecation');
  });

  it('says of a failure of the service by which trace it is found, and tries again', async () => {
    const { page } = at.ada;
    let fails = true;
    await page.route(/\/orgs\/demo\/search\?/, async (route) => {
      if (!fails) return route.fallback();
      const problem = {
        type: 'internal',
        title: 'Something went wrong on our side.',
        status: 500,
        errors: {},
      };
      await route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...problem, traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }),
      });
    });
    await page.goto('/o/demo/search?q=greet');
    const said = page.getByRole('alert').filter({ hasText: 'Something went wrong on our side.' });
    await said.getByText('4bf92f3577b34da6a3ce929d0e0e4736').waitFor();
    await accessible(page, 'a failure of the service');
    fails = false;
    await said.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.getByRole('link', { name: /Greet people by name/ }).waitFor();
  });

  it('counts down to what a busy service asks to wait, and goes on then', async () => {
    const { page } = at.ada;
    let refusals = 0;
    await page.route(/\/orgs\/demo\/search\?/, async (route) => {
      if (refusals++ > 0) return route.fallback();
      await route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '20' },
        body: JSON.stringify({
          type: 'rate-limited',
          title: 'Too many requests.',
          status: 429,
          traceId: 't',
          errors: {},
        }),
      });
    });
    await page.goto('/o/demo/search?q=greet');
    await page.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor();
    await accessible(page, 'a wait');
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.getByRole('link', { name: /Greet people by name/ }).waitFor();
  });
});
