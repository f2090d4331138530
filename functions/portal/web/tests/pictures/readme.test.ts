/** Takes the pictures that the README shows: `npm run pictures`. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeContexts, Person } from '../harness';
import { DEMO_AGENT, Runner } from '../runner';
import { type Demo, Service } from '../service';

const FOLDER = new URL('../../pictures/', import.meta.url).pathname;
const SIZE = { width: 1440, height: 720 };

let service: Service;
let demo: Demo;
let runner: Runner;
/** A copy of the agent: the log tells its path, and a picture names no machine's folders. */
const folder = mkdtempSync(join(tmpdir(), 'svc-'));
beforeAll(async () => {
  service = await Service.start({ demo: true });
  demo = service.demo as Demo;
  const agent = join(folder, 'demo-agent');
  copyFileSync(DEMO_AGENT, agent);
  runner = new Runner(agent);
  runner.start(service, demo.runnerSecret, 'DEMO');
});
afterAll(async () => {
  await runner.stop();
  await closeContexts();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  id: string;
  status: string;
}

const COLORS = { greeting: '#2f6fde', languages: '#8b5cf6', docs: '#0d9488', api: '#d97706' };

const ITEMS = [
  {
    type: 'story',
    title: 'Remember how people like to be greeted',
    priority: 'high',
    labels: ['api'],
    estimate: 5,
  },
  { type: 'bug', title: 'Names with accents are greeted twice', priority: 'highest', labels: ['greeting'] },
  { type: 'task', title: 'Measure how long a greeting takes', labels: ['api'], estimate: 2 },
];

it('the board and a run', async () => {
  const project = '/orgs/demo/projects/DEMO';
  for (const [name, color] of Object.entries(COLORS))
    await service.api('POST', `${project}/labels`, { name, color });
  for (const item of ITEMS) await service.api('POST', `${project}/items`, item);
  const ended = await service.api<Run>('POST', '/orgs/demo/items/DEMO-1/runs', {});
  const status = async () => (await service.api<Run>('GET', `/orgs/demo/runs/${ended.id}`)).status;
  await expect.poll(status, { timeout: 60_000 }).toBe('succeeded');
  const { key } = await service.api<{ key: string }>('POST', `${project}/items`, {
    type: 'story',
    title: 'Greet groups of people at once',
    body: 'demo-agent: sleep 600',
    labels: ['greeting'],
    estimate: 3,
  });
  await service.api('POST', `/orgs/demo/items/${key}/runs`, {});

  const ada = await Person.arrive(service, SIZE);
  const { page } = ada;
  await ada.signIn(demo.email, demo.password, '/o/demo/p/DEMO/board');
  await ada
    .card(key)
    .getByText(/Running/)
    .waitFor({ timeout: 60_000 });
  // What comes after the cards belongs to the picture, too.
  await page.getByText('Favourites').waitFor();
  await ada.settled();
  await page.screenshot({ path: `${FOLDER}board.png` });
  await page.goto(`/o/demo/factory/runs/${ended.id}`);
  await page.getByText('The run succeeded').waitFor();
  await page.getByRole('button', { name: /[Ww]rap/ }).click();
  await page.screenshot({ path: `${FOLDER}run.png` });
  await ada.leave();
});
