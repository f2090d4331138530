/** A run's change is reviewed in the app: files and lines are read, remarked on, and become a follow-up. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';
import { Runner } from '../runner';

const at = arriving('/o/demo/p/DEMO/items/DEMO-1', (ada) =>
  ada.page.getByText('As a visitor I want').first().waitFor(),
);
const runner = new Runner();
beforeAll(() => runner.start(at.service, at.demo.runnerSecret, 'DEMO'));
afterAll(() => runner.stop());

interface Page<Entry> {
  items: Entry[];
}
interface Run {
  id: string;
  status: string;
}
interface Comment {
  body: string;
  author: { agent: boolean };
}

const runs = async () => (await at.service.api<Page<Run>>('GET', '/orgs/demo/items/DEMO-1/runs')).items;

it('shows what a run changed, and asks for changes of its lines', async () => {
  const { page } = at.ada;
  const run = await at.service.api<Run>('POST', '/orgs/demo/items/DEMO-1/runs', {});
  const status = async () => (await runs()).find(({ id }) => id === run.id)?.status;
  await expect.poll(status).toBe('succeeded');
  await page.reload();
  await page.getByRole('link', { name: 'Review the changes' }).click();
  await page.getByText('1 file', { exact: true }).waitFor();
  const file = page.getByRole('region', { name: 'docs/work/DEMO-1.md' });
  await file.getByText('As a visitor I want').first().waitFor();
  await accessible(page, 'changes');

  await page.getByRole('button', { name: 'Side by side' }).click();
  await accessible(page, 'changes side by side');
  await page.getByRole('button', { name: 'Unified' }).click();

  // From the first line by keyboard to the third, and a remark there.
  const number = (line: number) =>
    file.getByRole('button', { name: new RegExp(`^Remark on line ${line} of`) });
  await number(1).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Say who is greeted.');
  await accessible(page, 'a remark being written');
  await page.keyboard.press('Control+Enter');
  await page.getByText('1 remark not sent yet').waitFor();
  await at.ada.drafted('[{"path":"docs/work/DEMO-1.md"');
  await page.reload();
  await page.getByText('1 remark not sent yet').waitFor();
  await accessible(page, 'a review');
  await picture(page, 'review');

  await page.getByRole('button', { name: 'Ask Builder for changes' }).click();
  await page.getByText('1 remark not sent yet').waitFor({ state: 'detached' });
  const comments = () => at.service.api<Page<Comment>>('GET', '/orgs/demo/items/DEMO-1/comments');
  const asked = async () => (await comments()).items.find(({ author }) => !author.agent)?.body;
  await expect
    .poll(asked)
    .toMatch(/^@Builder Please change this:\n\n`docs\/work\/DEMO-1.md`, line 3:\n\n```\n/);
  expect(await asked()).toMatch(/Say who is greeted\.$/);
  expect(at.ada.complaints).toEqual([]);
});

it('is accepted on the page of the run', async () => {
  const { page } = at.ada;
  const { id } = await at.service.api<Run>('POST', '/orgs/demo/items/DEMO-2/runs', {});
  const run = () => at.service.api<Run>('GET', `/orgs/demo/runs/${id}`);
  await expect.poll(async () => (await run()).status).toBe('succeeded');
  const state = async () => (await at.service.api<{ state: string }>('GET', '/orgs/demo/items/DEMO-2')).state;
  await expect.poll(state).toBe('In review');
  await page.goto(`/o/demo/factory/runs/${id}`);
  const accept = page.getByRole('button', { name: 'Accept: move to Resolved' });
  await accept.waitFor();
  await accessible(page, 'a run to accept');
  await picture(page, 'run-accept');
  await accept.click();
  await page.getByText('DEMO-2 moved to Resolved', { exact: true }).waitFor();
  await expect.poll(state).toBe('Resolved');
  await page.keyboard.press('Control+z');
  await expect.poll(state).toBe('In review');
  expect(at.ada.complaints).toEqual([]);
});
