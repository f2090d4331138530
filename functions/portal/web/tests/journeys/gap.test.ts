/** What is made between a page's first answers and its stream is shown, though nobody asks for it again. */
import { expect, it } from 'vitest';
import { arriving, Person } from '../harness';

const ITEM = '/o/demo/p/DEMO/items/DEMO-1';
const at = arriving(ITEM, (ada) => ada.page.getByText('As a visitor I want').waitFor());

const say = (body: string) => at.service.api('POST', '/orgs/demo/items/DEMO-1/comments', { body });

/** Streams in the page itself, where a test can hold them, instead of in a worker. */
async function arrive(): Promise<{ person: Person; asked: string[]; letGo: () => void }> {
  const person = await Person.arrive(at.service);
  await person.context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  const asked: string[] = [];
  person.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await person.page.route(/\/orgs\/demo\/stream/, async (route) => {
    await held;
    await route.continue();
  });
  return { person, asked, letGo };
}

const lists = (asked: readonly string[]) => asked.filter((path) => path.endsWith('/DEMO-1/comments')).length;

it('in a browser that comes for the first time', async () => {
  const { cookies } = await at.ada.context.storageState();
  await say('Said long before.');
  const { person, asked, letGo } = await arrive();
  await person.context.addCookies(cookies);
  await person.page.goto(ITEM);
  await person.page.getByText('Said long before.').waitFor();
  await say('Said in the gap.');
  // The page has no stream yet, and does not know.
  expect(await person.page.getByText('Said in the gap.').count()).toBe(0);
  letGo();
  await person.page.getByText('Said in the gap.').waitFor();
  expect(lists(asked)).toBeGreaterThanOrEqual(2);
  expect(person.complaints).toEqual([]);
  await person.leave();
});

it('in a browser that comes back, which asks only for what changed', async () => {
  const { person, asked, letGo } = await arrive();
  letGo();
  await person.signIn(at.demo.email, at.demo.password, ITEM);
  await person.page.getByText('Said long before.').waitFor();
  await say('Said while the stream was there.');
  await person.page.getByText('Said while the stream was there.').waitFor();
  await person.page.unroute(/\/orgs\/demo\/stream/);
  let again = () => {};
  const held = new Promise<void>((resolve) => {
    again = resolve;
  });
  await person.page.route(/\/orgs\/demo\/stream/, async (route) => {
    await held;
    await route.continue();
  });
  await person.page.reload();
  await person.page.getByText('Said while the stream was there.').waitFor();
  await expect.poll(() => asked.filter((path) => path.endsWith('/DEMO-1/watchers')).length).toBe(2);
  await say('Said in the gap of the second visit.');
  again();
  await person.page.getByText('Said in the gap of the second visit.').waitFor();
  // Watchers did not change: nobody asked for them again.
  expect(asked.filter((path) => path.endsWith('/DEMO-1/watchers')).length).toBe(2);
  expect(person.complaints).toEqual([]);
  await person.leave();
});
