/** Projects, milestones, the roadmap and the insights: how far the work is, and what it took. */
import { beforeAll, expect, it } from 'vitest';
import { accessible, arriving, Person, picture } from '../harness';

const at = arriving('/o/demo/p', (ada) =>
  ada.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor(),
);
const api = <T>(method: string, path: string, body?: object) =>
  at.service.api<T>(method, `/orgs/demo${path}`, body);
const day = (after: number) => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
const P = '/o/demo/p/DEMO';
let milestone = '';
let epics: string[] = [];

async function moved(key: string, ...states: string[]): Promise<void> {
  for (const state of states) {
    const { version } = await api<{ version: number }>('GET', `/items/${key}`);
    await api('POST', `/items/${key}/transition`, { version, state });
  }
}

beforeAll(async () => {
  const { id: assignee } = await at.service.api<{ id: string }>('GET', '/me');
  const made = async (fields: object) =>
    (await api<{ key: string }>('POST', '/projects/DEMO/items', { type: 'task', assignee, ...fields })).key;
  const goal = { name: 'First customers', due: day(40), description: 'Ten people are greeted each day.' };
  milestone = (await api<{ id: string }>('POST', '/projects/DEMO/milestones', goal)).id;
  await api('POST', '/projects/DEMO/milestones', { name: 'Some day' });
  const items: string[] = [];
  for (let n = 1; n <= 6; n++) items.push(await made({ title: `Part ${n} of the goal`, milestone }));
  for (const key of items.slice(0, 2)) await moved(key, 'In progress', 'In review', 'Resolved');
  await moved(items[2] ?? '', 'In progress');
  epics = [
    await made({ type: 'epic', title: 'Greet in every language', due: day(20) }),
    await made({ type: 'epic', title: 'Greet aloud', due: day(50) }),
  ];
  const parts = [
    await made({ title: 'In French', parent: epics[0] }),
    await made({ title: 'In Thai', parent: epics[0] }),
  ];
  await moved(parts[0] ?? '', 'In progress', 'In review', 'Resolved');
  await api('POST', `/items/${epics[1]}/links`, { type: 'blockedBy', item: epics[0] });
});

it('tell of each project how far it is and who works on it', async () => {
  const { page } = at.ada;
  const card = page.getByRole('listitem').filter({ hasText: 'Greeter' }).last();
  await card.getByText(/\d+ open · \d+ active · \d+ done/).waitFor();
  await card.getByText('No forecast yet').waitFor();
  await card.getByRole('list', { name: 'People' }).waitFor();
  await accessible(page, 'projects with their standing');
  await picture(page, 'projects-standing');
  await card.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Greeter Overview', level: 1 }).waitFor();
  await page.getByText(/No forecast yet: too few items were finished lately/).waitFor();
  await page.getByRole('link', { name: 'First customers' }).waitFor();
  await page.getByRole('region', { name: 'Changed lately' }).getByRole('link').first().waitFor();
  await at.ada.settled();
  await accessible(page, 'overview of a project');
  await picture(page, 'overview');
  await page.emulateMedia({ colorScheme: 'dark' });
  await accessible(page, 'overview of a project, dark');
  await picture(page, 'overview-dark');
  await page.getByRole('link', { name: 'First customers' }).click();
  await page.getByText('3 open · 1 active · 2 done').waitFor();
  await page.getByRole('region', { name: 'Backlog' }).getByText('Part 4 of the goal').waitFor();
  await page.getByText('The same as a table').click();
  const last = page.getByRole('table').first().getByRole('row').last();
  expect(await last.getByRole('cell').allTextContents()).toEqual(['6', '2']);
  await accessible(page, 'milestone, dark');
  await picture(page, 'milestone-dark');
  expect(at.ada.complaints).toEqual([]);
});

it('stand on a roadmap, where a day is moved by keys and by the pointer', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/roadmap');
  const handle = page.getByRole('slider', { name: 'Due day of First customers' });
  await handle.waitFor();
  await at.ada.settled();
  await accessible(page, 'roadmap');
  await picture(page, 'roadmap');
  await page.getByText(`waits for ${epics[0]}`).waitFor({ state: 'attached' });
  await expect.poll(() => page.locator('svg path[marker-end]').count()).toBeGreaterThan(0);

  const due = async () => (await api<{ due?: string }>('GET', `/projects/DEMO/milestones/${milestone}`)).due;
  await handle.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect.poll(due).toBe(day(48));
  await page.keyboard.press('Control+z');
  await expect.poll(due).toBe(day(40));

  const epic = page.getByRole('slider', { name: 'Due day of Greet in every language' });
  await expect.poll(() => epic.getAttribute('aria-valuetext')).toContain('1 of 2 done');
  const box = await epic.boundingBox();
  if (!box) throw new Error('The handle is not in sight.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 4 });
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.mouse.up();
  const dueOfEpic = async () => (await api<{ due?: string }>('GET', `/items/${epics[0]}`)).due;
  await expect.poll(dueOfEpic).toBe(day(30));

  // What has no day gets one.
  const later = page.getByRole('slider', { name: 'Due day of Some day' });
  expect(await later.getAttribute('aria-valuetext')).toContain('no day');
  await later.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => later.getAttribute('aria-valuetext')).not.toContain('no day');
  await page.getByRole('tab', { name: 'Weeks' }).click();
  await page.waitForURL(/zoom=weeks/);
  await page.emulateMedia({ colorScheme: 'dark' });
  await accessible(page, 'roadmap, dark');
  await picture(page, 'roadmap-dark');
  expect(at.ada.complaints).toEqual([]);
});

it('are drawn as pictures with the same numbers in a table and a file', async () => {
  const { page } = at.ada;
  await page.goto(`${P}/insights`);
  await page.getByRole('img', { name: /Items done, in progress and waiting/ }).waitFor();
  await at.ada.settled();
  await accessible(page, 'insights');
  await picture(page, 'insights');
  const flow = page.getByRole('region', { name: 'Cumulative flow', exact: true });
  await flow.getByText('The same as a table').click();
  const now = flow.getByRole('row').last().getByRole('cell');
  const counted = async () =>
    (
      await api<{ groups: { value: string; count: number }[] }>(
        'GET',
        `/projects/DEMO/items/counts?by=stateGroup&filter=${encodeURIComponent('-type:subtask')}`,
      )
    ).groups;
  const of = (some: { value: string; count: number }[], ...names: string[]) =>
    some.filter(({ value }) => names.includes(value)).reduce((sum, { count }) => sum + count, 0);
  const groups = await counted();
  expect((await now.allTextContents()).map(Number)).toEqual([
    of(groups, 'resolved', 'closed'),
    of(groups, 'active'),
    of(groups, 'backlog'),
  ]);
  const saved = page.waitForEvent('download');
  await flow.getByRole('button', { name: 'CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('DEMO-cumulative-flow.csv');
  await page.getByLabel('Items', { exact: true }).selectOption({ label: 'First customers' });
  await page.waitForURL(/milestone=/);
  await expect.poll(async () => (await now.allTextContents()).map(Number)).toEqual([2, 1, 3]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await accessible(page, 'insights, dark');
  await picture(page, 'insights-dark');
  expect(at.ada.complaints).toEqual([]);
});

it('are read on a phone', async () => {
  const ada = await Person.arrive(at.service, { width: 390, height: 844 });
  const { page } = ada;
  await ada.enter(at.demo.email, at.demo.password, '/o/demo/p');
  const across = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const seen = async (path: string, shown: RegExp | string, name: string) => {
    await page.goto(path);
    await page.getByText(shown).first().waitFor();
    await ada.settled();
    expect(await across(), name).toBe(0);
    await accessible(page, `${name} on a phone`);
    await picture(page, `${name}-phone`);
  };
  await seen('/o/demo/p', /open · \d+ active/, 'projects');
  await seen(`${P}/overview`, 'Changed lately', 'overview');
  await seen(`${P}/milestones/${milestone}`, 'Burn-up', 'milestone');
  await seen(`${P}/roadmap`, 'First customers', 'roadmap');
  await seen(`${P}/insights`, 'Cumulative flow', 'insights');
  await ada.leave();
});
