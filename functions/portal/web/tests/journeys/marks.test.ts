/**
 * What the app says of limits: a log that reached its size, a log that was removed, a move that the workflow refused an
 * agent, a claim that nobody works on any more, and a runner that a service started.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessible, Person, picture, serving } from '../harness';
import { join } from '../joining';
import { DEMO_AGENT, Runner } from '../runner';

const at = serving({
  demo: true,
  settings: { Automation__MaxLogBytes: '20000', Retention__RunLogDays: '0', Claims__StaleSeconds: '2' },
});
const runner = new Runner(DEMO_AGENT, { SVC_RUNNER_SERVICE: '1' });
let ada: Person;
beforeAll(() => runner.start(at.service, at.demo.runnerSecret, 'DEMO'));
afterAll(() => runner.stop());
beforeEach(async () => {
  ada = await Person.arrive(at.service);
  await ada.enter(at.demo.email, at.demo.password, '/o/demo');
  return () => ada.leave();
});

const DEMO = '/orgs/demo/projects/DEMO';

interface Keyed {
  key: string;
  version: number;
}
interface Run {
  id: string;
  status: string;
}

async function made(title: string, body = ''): Promise<string> {
  return (await at.service.api<Keyed>('POST', `${DEMO}/items`, { type: 'task', title, body })).key;
}

async function finished(key: string): Promise<Run> {
  const run = await at.service.api<Run>('POST', `/orgs/demo/items/${key}/runs`, {});
  const status = async () => (await at.service.api<Run>('GET', `/orgs/demo/runs/${run.id}`)).status;
  await expect.poll(status).toBe('succeeded');
  return run;
}

describe('the app says', () => {
  it('that a runner was started by a service', async () => {
    const { page } = ada;
    await page.goto('/o/demo/factory/runners');
    const row = page.getByRole('list', { name: 'Runners' }).getByRole('listitem').first();
    await row.getByText('service', { exact: true }).waitFor();
    await accessible(page, 'a runner that a service started');
  });

  it('that a move of an agent was skipped, and why', async () => {
    const { page } = ada;
    const workflow = await at.service.api<{ version: number; states: unknown; moves: { from: string }[] }>(
      'GET',
      `${DEMO}/workflow`,
    );
    const moves = workflow.moves.filter(({ from }) => from !== 'Backlog');
    await at.service.api('PUT', `${DEMO}/workflow`, { ...workflow, moves });
    const key = await made('Stays where it is');
    await finished(key);
    await page.goto(`/o/demo/p/DEMO/items/${key}`);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('left it in Backlog: the workflow has no move to In review').waitFor();
    await picture(page, 'transition-skipped');
  });

  it('that a claim went quiet, and lets somebody else take over', async () => {
    const key = await made('Is left behind');
    const olga = await join(at, 'olga@example.com', 'stakeholder');
    await olga.page.goto(`/o/demo/p/DEMO/items/${key}`);
    await olga.page.getByRole('button', { name: 'Claim', exact: true }).click();
    await olga.page.getByRole('button', { name: 'Release' }).waitFor();
    // Her browser is gone, and gives no sign of work any more.
    await olga.leave();
    const { page } = ada;
    await expect
      .poll(async () => {
        await page.goto(`/o/demo/p/DEMO/items/${key}`);
        const claim = page.getByRole('region', { name: 'Claim' });
        await claim.getByText('olga').waitFor();
        // What may be done with the claim is known a moment after whose it is.
        const takeOver = claim.getByRole('button', { name: 'Take over' });
        return takeOver.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
      })
      .toBe(true);
    await page.getByText('No sign of work for a while.').waitFor();
    await accessible(page, 'a claim that went quiet');
    await picture(page, 'claim-stale');
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByText(/^You /).waitFor();
  });

  it('that a log reached its size, and that it was removed when its time was over', async () => {
    const { page } = ada;
    const run = await finished(await made('Prints too much', 'demo-agent: lines 5000'));
    await page.goto(`/o/demo/factory/runs/${run.id}`);
    await page.getByText('The log reached its size limit').waitFor();
    await accessible(page, 'a log that was cut');
    await picture(page, 'log-cut');
    await page.getByRole('log').press('Home');
    await page.getByText('line 1 of 5000', { exact: true }).waitFor();
    // A server removes old logs when it begins, and here they are old at once.
    await at.service.stop(true);
    at.service = await at.service.restart();
    await expect
      .poll(async () => {
        await page.goto(`/o/demo/factory/runs/${run.id}`);
        const removed = page.getByText('This log was removed');
        await removed.or(page.getByRole('log')).first().waitFor();
        return removed.isVisible();
      })
      .toBe(true);
    await picture(page, 'log-removed');
  });
});
