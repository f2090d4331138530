/**
 * Journey 15: what runs cost and brought is told everybody who sees the item; what agents were told and said, and why a
 * run failed, reaches nobody's browser but an operator's.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessible, type Person, picture, serving, Person as Visitor } from '../harness';
import { join } from '../joining';
import { Runner } from '../runner';

const at = serving();
const runner = new Runner(new URL('../telling-agent.mjs', import.meta.url).pathname);
const DEMO = '/orgs/demo/projects/DEMO';
const P = '/o/demo/p/DEMO';

interface Run {
  id: string;
  status: string;
}

/** An item whose newest run failed, and whose run before that succeeded. */
let item: string;
let failed: Run;
let succeeded: Run;

beforeAll(() => runner.start(at.service, at.demo.runnerSecret, 'DEMO'));
afterAll(() => runner.stop());

/** An agent does the item, and then fails at it. */
async function work(): Promise<void> {
  const [playbook] = await at.service.api<{ id: string; version: number }[]>('GET', `${DEMO}/playbooks`);
  const told = { version: playbook?.version, instructions: 'canary-prompt: work well.' };
  await at.service.api('PATCH', `${DEMO}/playbooks/${playbook?.id}`, told);
  const made = { type: 'task', title: 'Cost something', body: 'demo-agent: lines 3' };
  const { key, version } = await at.service.api<{ key: string; version: number }>(
    'POST',
    `${DEMO}/items`,
    made,
  );
  item = key;
  succeeded = await ended('succeeded');
  const held = await at.service.api<{ version: number }>('GET', `/orgs/demo/items/${key}`);
  expect(held.version).toBeGreaterThan(version);
  const worse = { version: held.version, body: 'demo-agent: fail model-not-found' };
  await at.service.api('PATCH', `/orgs/demo/items/${key}`, worse);
  failed = await ended('failed');
}

async function ended(how: string): Promise<Run> {
  const run = await at.service.api<Run>('POST', `/orgs/demo/items/${item}/runs`, {});
  const status = async () => (await at.service.api<Run>('GET', `/orgs/demo/runs/${run.id}`)).status;
  await expect.poll(status).toMatch(/succeeded|failed|cancelled|timedOut/);
  expect(await status()).toBe(how);
  return run;
}

/** What must not be told. */
const SECRETS = [
  'canary-',
  'promptSnapshot',
  'failureReason',
  'failureDetail',
  'harnessSession',
  'harness-model-unavailable',
  'refused the model',
  'issue with the selected model',
];

it('is absent for who is no operator, and what runs took is not', async () => {
  await work();
  for (const [email, preset] of [
    ['stan@example.com', 'stakeholder'],
    ['gina@example.com', 'guest'],
  ] as const) {
    const person = await join(at, email, preset);
    const { page } = person;
    const answers = listening(person);
    await page.goto(`${P}/items/${item}`);
    const runs = page.getByRole('region', { name: 'Runs', exact: true });
    await runs.getByText('Run failed.', { exact: true }).waitFor();
    const facts = async (of = runs) =>
      Object.fromEntries(
        await of
          .locator('dl > div')
          .evaluateAll((pairs) =>
            pairs.map((pair) => ['dt', 'dd'].map((tag) => pair.querySelector(tag)?.textContent ?? '')),
          ),
      );
    const figures = {
      Worked: expect.stringMatching(/^\d+ (s|min)$/),
      Cost: '$0.42',
      Tokens: '1.2K in, 3.4K out',
    };
    await expect.poll(() => facts(runs.getByRole('listitem').first())).toMatchObject(figures);
    await runs.getByText('Details', { exact: true }).click();
    const moment = expect.stringMatching(/\d\d:\d\d/);
    const times = { Queued: moment, Assigned: moment, Started: moment, Ended: moment };
    expect(await facts(runs.getByRole('listitem').first())).toMatchObject({
      ...figures,
      ...times,
      'Exit code': expect.stringMatching(/^\d+$/),
      'Requested by': 'Demo Owner',
      Agent: 'Builder',
      Playbook: 'Implement',
      Harness: 'Claude Code',
      Branch: expect.stringContaining(item.toLowerCase()),
    });
    // The run before it is a line that unfolds.
    const earlier = runs.getByRole('listitem').nth(1);
    await earlier.getByText('Succeeded', { exact: true }).click();
    await earlier.getByText('Run succeeded.', { exact: true }).waitFor();
    expect(await facts(earlier)).toMatchObject({ ...figures, ...times, 'Exit code': '0' });
    await accessible(page, `runs as ${preset} sees them`);
    await picture(page, `item-runs-${preset}`);
    expect(await runs.getByRole('link', { name: 'Open the run' }).count()).toBe(0);

    const places = [
      '/board',
      '/list',
      '/wiki',
      '/wiki/Factory/Implement',
      '/sprints',
      '/milestones',
      '/settings',
    ];
    const org = ['', '/activity', '/search?q=canary', '/p', '/factory', `/factory/runs/${failed.id}`];
    for (const path of [...places.map((place) => P + place), ...org.map((place) => `/o/demo${place}`)]) {
      await page.goto(path);
      await page
        .getByRole('heading', { level: 1 })
        .or(page.getByText(/you may not see it/))
        .first()
        .waitFor();
      expect(found(await page.content()), path).toEqual([]);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').last().fill('factory');
    expect(await page.getByRole('option', { name: 'Factory', exact: true }).count()).toBe(0);
    expect(await answers()).toEqual([]);
    expect(found(await stored(page))).toEqual([]);
    expect(person.complaints).toEqual([]);
    await person.leave();
  }
});

it('is there for an operator: the log tells its streams apart', async () => {
  const ada = await Visitor.arrive(at.service);
  await ada.enter(at.demo.email, at.demo.password, `/o/demo/factory/runs/${succeeded.id}`);
  const { page } = ada;
  const line = page.locator('[data-index]', { hasText: 'canary-log on stderr' });
  await line.getByText('stderr', { exact: true }).waitFor();
  const shown = page.getByLabel('Stream', { exact: true });
  await shown.selectOption('event');
  await line.waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('[data-index]').count()).toBeGreaterThan(0);
  await accessible(page, 'events of a log');
  await picture(page, 'log-events');
  await shown.selectOption('stderr');
  await line.waitFor();
  await page.goto(`/o/demo/factory/runs/${failed.id}?tab=prompt`);
  await page.getByText('canary-prompt: work well.').waitFor();
  await page.getByText(/refused the model/).waitFor();
  await ada.leave();
});

function found(text: string): string[] {
  return SECRETS.filter((secret) => text.includes(secret));
}

/** Everything that the service answers this person from now on; tells which answers have a secret, when it is asked. */
function listening({ context }: Person): () => Promise<string[]> {
  const reading: Promise<string | undefined>[] = [];
  context.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/api/') || pathname.endsWith('/stream')) return;
    const text = response.text().catch(() => '');
    reading.push(
      text.then((body) => {
        const secrets = found(body);
        return secrets.length > 0 ? `${pathname}: ${secrets.join(', ')}` : undefined;
      }),
    );
  });
  return async () => (await Promise.all(reading)).filter((told) => told !== undefined);
}

/** Everything that the browser keeps, as one text. */
function stored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const all: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name } of await indexedDB.databases()) {
      if (!name) continue;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => resolve(opening.result);
      });
      for (const store of database.objectStoreNames) {
        all.push(
          await new Promise((resolve, reject) => {
            const reading = database.transaction(store).objectStore(store).getAll();
            reading.onerror = () => reject(reading.error);
            reading.onsuccess = () => resolve(reading.result);
          }),
        );
      }
      database.close();
    }
    return JSON.stringify(all);
  });
}
