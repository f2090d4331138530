/** The service goes away and comes back: the app opens, is read and edited meanwhile, and nothing is lost or doubled. */
import { expect, it } from 'vitest';
import { accessible, Person, picture, serving } from '../harness';

const at = serving();

it('opens without the service, keeps what is changed, and sends it when the service is back', async () => {
  const ada = await Person.arrive(at.service, undefined, { keeps: true });
  const { page } = ada;
  await ada.signIn(at.demo.email, at.demo.password, '/o/demo/p/DEMO/board');
  await ada.card('DEMO-1').waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
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
