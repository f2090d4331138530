/** What agents get done over weeks, and a run's log: folded to what was called, and linked to what was changed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';
import { Runner } from '../runner';

const at = arriving('/o/demo/factory/insights', (ada) =>
  ada.page.getByRole('heading', { name: 'Insights', level: 1 }).waitFor(),
);
const runner = new Runner(new URL('../calling-agent.mjs', import.meta.url).pathname);
const api = <T>(method: string, path: string, body?: object) =>
  at.service.api<T>(method, `/orgs/demo${path}`, body);

beforeAll(() => runner.start(at.service, at.demo.runnerSecret, 'DEMO'));
afterAll(() => runner.stop());

let begun: Promise<{ id: string }> | undefined;

/** A run that succeeded, the same for all tests. */
async function finished(): Promise<string> {
  begun ??= api('POST', '/items/DEMO-1/runs', {});
  const { id } = await begun;
  const status = async () => (await api<{ status: string }>('GET', `/runs/${id}`)).status;
  await expect.poll(status).toBe('succeeded');
  return id;
}

it('compares playbooks, harnesses and models', async () => {
  const { page } = at.ada;
  await finished();
  await page.reload();
  await page.getByRole('img', { name: 'Success by Playbook, week by week' }).waitFor();
  const total = page.getByRole('region', { name: 'In all' }).getByRole('table');
  await total.getByRole('row', { name: /Implement 1 100%/ }).waitFor();
  await at.ada.settled();
  await accessible(page, 'insights into agents');
  await picture(page, 'factory-insights');
  await page.getByLabel('Compare by').selectOption('model');
  await page.waitForURL(/by=model/);
  await total.getByRole('row', { name: /own choice 1/ }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await accessible(page, 'insights into agents, dark');
  await picture(page, 'factory-insights-dark');
  expect(at.ada.complaints).toEqual([]);
});

it('folds tool calls in a log, jumps to errors, and leads to what was changed', async () => {
  const { page } = at.ada;
  const run = await finished();
  await page.goto(`/o/demo/factory/runs/${run}`);
  const log = page.getByRole('log');
  const list = log.locator('[data-index]').filter({ hasText: '→ Bash: ls -la' });
  await list.getByRole('button', { name: '3 lines' }).waitFor();
  expect(await log.getByText('tests', { exact: true }).count()).toBe(0);
  await log.getByRole('button', { name: 'failed, 1 line' }).waitFor();
  await accessible(page, 'a log with folded calls');
  await picture(page, 'log-folded');
  await list.getByRole('button', { name: '3 lines' }).click();
  await log.getByText('README.md', { exact: true }).first().waitFor();
  await page.keyboard.press('f');
  await log.getByText(/no rule to make target/).waitFor();
  await page.keyboard.press('f');
  await log.getByText(/no rule to make target/).waitFor({ state: 'detached' });

  // What is looked for is never hidden.
  await page.getByRole('textbox', { name: 'Find in the log' }).fill('no rule');
  await log.getByText('no rule', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Find in the log' }).fill('');

  const changed =
    (await api<{ files: { path: string }[] }>('GET', `/runs/${run}/changes`)).files[0]?.path ?? '';
  const link = log.getByRole('button', { name: `Changes of ${changed}` }).first();
  await link.waitFor();
  await link.click();
  await page.waitForURL(/tab=changes/);
  await page.getByRole('region', { name: changed }).getByRole('button', { expanded: true }).waitFor();
  await picture(page, 'log-to-changes');
  expect(at.ada.complaints).toEqual([]);
});
