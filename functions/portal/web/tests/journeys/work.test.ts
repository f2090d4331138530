/** Home is a person's work: what waits for them is decided there, and what they have is counted by the service. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessible, arriving, Person, picture } from '../harness';
import { Runner } from '../runner';

const at = arriving('/o/demo', (ada) => ada.page.getByRole('heading', { level: 2 }).waitFor());
const runner = new Runner();
beforeAll(() => runner.start(at.service, at.demo.runnerSecret, 'DEMO'));
afterAll(() => runner.stop());

const api = <T>(method: string, path: string, body?: object) =>
  at.service.api<T>(method, `/orgs/demo${path}`, body);
const day = (after: number) => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);

async function made(fields: object): Promise<string> {
  const { id: assignee } = await at.service.api<{ id: string }>('GET', '/me');
  const body = { type: 'task', assignee, ...fields };
  return (await api<{ key: string }>('POST', '/projects/DEMO/items', body)).key;
}

it('lists what is due, mine by sprint, and what is watched, with what there is in all', async () => {
  const { page } = at.ada;
  await made({ title: 'Is late', due: day(-2) });
  await made({ title: 'Is due soon', due: day(3), priority: 'highest' });
  await made({ title: 'Is due much later', due: day(60) });
  const team = await api<{ key: string }>('POST', '/projects/DEMO/teams', {
    name: 'Core',
    key: 'CORE',
    members: [],
  });
  const dates = { start: day(-1), end: day(12) };
  const sprint = await api<{ id: string }>('POST', '/projects/DEMO/sprints', {
    name: 'Now',
    team: team.key,
    ...dates,
  });
  await api('POST', `/sprints/${sprint.id}/start`, { version: 1 });
  const planned = await made({ title: 'Is in the sprint' });
  await api('POST', `/items/${planned}/move`, { version: 1, sprint: sprint.id });
  await api('PUT', '/items/DEMO-3/watch');
  for (let n = 0; n < 55; n++) await made({ title: `One of many ${n}` });
  await page.goto('/o/demo');
  const due = page.getByRole('region', { name: 'Due this week' });
  await due.getByRole('link', { name: /Is late/ }).waitFor();
  expect(await due.getByRole('link').count()).toBe(2);
  const mine = page.getByRole('region', { name: 'My items' });
  await mine.getByRole('heading', { name: 'Now · DEMO' }).waitFor();
  const { totalCount } = await api<{ totalCount: number }>(
    'GET',
    `/items?filter=${encodeURIComponent('assignee:@me state:backlog,active')}&pageSize=1`,
  );
  expect(totalCount).toBeGreaterThan(55);
  await mine.getByRole('heading', { name: `My items ${totalCount}` }).waitFor();
  const shown = await mine.getByRole('link').count();
  expect(shown).toBeLessThan(totalCount);
  await mine.getByRole('button', { name: `Show ${totalCount - shown} more` }).click();
  await expect.poll(() => mine.getByRole('link').count()).toBe(totalCount);
  await page
    .getByRole('region', { name: 'Watching' })
    .getByRole('link', { name: /DEMO-3/ })
    .waitFor();
  await accessible(page, 'home with work');
  await picture(page, 'home-work');

  // By keys through the rows, and the item beside.
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Is due soon');
  await page.keyboard.press('Space');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Is due soon/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(at.ada.complaints).toEqual([]);
});

it('shows what an agent changed beside the row, and accepts it there', async () => {
  const { page } = at.ada;
  const run = await api<{ id: string }>('POST', '/items/DEMO-1/runs', {});
  const status = async () => (await api<{ status: string }>('GET', `/runs/${run.id}`)).status;
  await expect.poll(status).toBe('succeeded');
  const needs = page.getByRole('region', { name: 'Needs you' });
  const review = needs.getByRole('link', { name: /DEMO-1.*Review/ });
  await review.waitFor();
  await review.focus();
  await page.keyboard.press('d');
  const beside = page.getByRole('dialog', { name: 'Changes of DEMO-1' });
  await beside.getByText('1 file', { exact: true }).waitFor();
  await accessible(page, 'changes beside home');
  await picture(page, 'home-changes');
  await page.keyboard.press('Escape');
  await beside.waitFor({ state: 'detached' });
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await picture(page, 'home-needs-dark');
  await accessible(page, 'home with reviews, dark');
  const before = (await api<{ state: string }>('GET', '/items/DEMO-1')).state;
  await needs.getByRole('button', { name: 'Accept' }).click();
  await expect
    .poll(async () => (await api<{ state: string }>('GET', '/items/DEMO-1')).state)
    .not.toBe(before);
  await review.waitFor({ state: 'detached' });
  expect(at.ada.complaints).toEqual([]);
});

it('starts a failed run over from its row', async () => {
  const { page } = at.ada;
  const title = 'Fails and is tried again';
  const item = { type: 'task', title, body: 'demo-agent: fail model-not-found' };
  const { key } = await api<{ key: string }>('POST', '/projects/DEMO/items', item);
  const run = await api<{ id: string }>('POST', `/items/${key}/runs`, {});
  const status = async () => (await api<{ status: string }>('GET', `/runs/${run.id}`)).status;
  await expect.poll(status).toBe('failed');
  const row = page.getByRole('region', { name: 'Needs you' }).getByRole('listitem').filter({ hasText: key });
  await row.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry', exact: true }).click();
  await page.getByText(`The run of ${key} starts over`).waitFor();
  const runs = async () => (await api<{ totalCount: number }>('GET', `/items/${key}/runs`)).totalCount;
  await expect.poll(runs).toBe(2);
  expect(at.ada.complaints).toEqual([]);
});

it('is gone through on a phone, part by part', async () => {
  const ada = await Person.arrive(at.service, { width: 390, height: 844 });
  const { page } = ada;
  await ada.enter(at.demo.email, at.demo.password, '/o/demo?tab=due');
  await page.getByRole('link', { name: /Is late/ }).waitFor();
  await accessible(page, 'home on a phone');
  await picture(page, 'home-phone-due');
  await page.getByRole('tab', { name: /^Mine/ }).click();
  await page.getByRole('heading', { name: 'Now · DEMO' }).waitFor();
  await picture(page, 'home-phone-mine');
  await page.reload();
  await page.getByRole('heading', { name: 'Now · DEMO' }).waitFor();
  await page.getByRole('tab', { name: /^Needs you/ }).click();
  await page.getByRole('button', { name: 'Retry' }).waitFor();
  await accessible(page, 'what needs somebody on a phone');
  await picture(page, 'home-phone-needs');
  await ada.leave();
});
