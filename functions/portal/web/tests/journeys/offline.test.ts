/**
 * What the browser keeps of the app: its pages open at any address, and while the service is away the app opens, is read
 * and edited, and nothing is lost or doubled.
 */
import { expect, it } from 'vitest';
import { accessible, Person, picture, serving } from '../harness';

const at = serving();

it.each([false, true])('opens pages whose name has a dot; with a service worker: %s', async (keeps) => {
  const ada = await Person.arrive(at.service, undefined, { keeps });
  const { page } = ada;
  await ada.enter(at.demo.email, at.demo.password, '/o/demo/p/DEMO/board');
  if (keeps) await controlled(page);
  for (const name of ['Release 1.2', 'notes.md']) {
    const path = encodeURIComponent(name);
    await at.service.api('PUT', `/orgs/demo/projects/DEMO/wiki/pages/${path}`, { body: `About ${name}.` });
    const answer = await page.goto(`/o/demo/p/DEMO/wiki/${path}`);
    expect(answer?.fromServiceWorker()).toBe(keeps);
    await page.getByText(`About ${name}.`).waitFor();
    await page.reload();
    await page.getByText(`About ${name}.`).waitFor();
    await at.service.api('DELETE', `/orgs/demo/projects/DEMO/wiki/pages/${path}`);
  }
  // What is a file of the app, or belongs to programs, is no page.
  for (const [path, type] of [
    ['/icon.svg', 'image/svg+xml'],
    ['/openapi/v1.json', 'application/json'],
    ['/register/nothing', 'application/problem+json'],
  ] as const) {
    const answer = await page.goto(path);
    expect(answer?.headers()['content-type'], path).toContain(type);
  }
  expect(ada.complaints).toEqual([]);
  await ada.leave();
});

it('opens without the service, keeps what is changed, and sends it when the service is back', async () => {
  const ada = await Person.arrive(at.service, undefined, { keeps: true });
  const { page } = ada;
  await ada.signIn(at.demo.email, at.demo.password, '/o/demo/p/DEMO/board');
  await ada.card('DEMO-1').waitFor();
  await controlled(page);
  await expect.poll(() => stored(page)).toBe(true);
  await at.service.stop(true);

  await page.reload();
  await ada.card('DEMO-1').waitFor();
  await page.getByText(/^Offline/).waitFor();
  await accessible(page, 'offline');
  await picture(page, 'offline');
  await ada.card('DEMO-1').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await ada.column('In progress').locator('[data-card="DEMO-1"]').waitFor();
  await page.getByText(/1 change waiting/).waitFor();
  await page.reload();
  await ada.column('In progress').locator('[data-card="DEMO-1"]').waitFor();

  at.service = await at.service.restart();
  const state = async () => (await at.service.api<{ state: string }>('GET', '/orgs/demo/items/DEMO-1')).state;
  await expect.poll(state).toBe('In progress');
  const { items } = await at.service.api<{ items: { kind: string }[] }>(
    'GET',
    '/orgs/demo/items/DEMO-1/history',
  );
  expect(items.filter(({ kind }) => kind === 'moved').length).toBeLessThanOrEqual(1);
  await page.getByText(/^Offline/).waitFor({ state: 'detached' });
  expect(ada.complaints).toEqual([]);
  await ada.leave();
});

/** Waits until the service worker answers for the page. */
async function controlled(page: Person['page']): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** Whether the browser keeps the project: it does so a moment after it came. */
function stored(page: Person['page']): Promise<boolean> {
  return page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
    const name = names.find((candidate) => candidate.startsWith('svc.'));
    if (!name) return false;
    return new Promise<boolean>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const count = opening.result.transaction('projects').objectStore('projects').count();
        count.onsuccess = () => {
          opening.result.close();
          resolve(count.result > 0);
        };
      };
    });
  });
}
