/** Journey 12: questions, answers, changes, and a ticket that is confirmed and moves. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessible, Person, picture, serving } from '../harness';
import { Runner } from '../runner';

const at = serving();
const runner = new Runner(new URL('../refining-agent.mjs', import.meta.url).pathname);
beforeAll(() => runner.start(at.service, at.demo.runnerSecret, 'DEMO'));
afterAll(() => runner.stop());

interface Item {
  title: string;
  state: string;
  priority: string;
}

it('asks, is answered, proposes, changes, and is confirmed', async () => {
  await at.service.api('PATCH', '/orgs/demo/projects/DEMO/refinement-settings', {
    version: 0,
    refinedState: 'In progress',
  });
  const ada = await Person.arrive(at.service);
  const { page } = ada;
  await ada.enter(at.demo.email, at.demo.password, '/o/demo/p/DEMO/items/DEMO-2');
  await page.getByRole('heading', { name: 'The greeting is cut off after 20 characters' }).waitFor();
  await page.keyboard.press('Shift+R');
  await page.getByRole('heading', { name: 'Refine DEMO-2', level: 1 }).waitFor();
  await accessible(page, 'before a refinement');
  await page.getByRole('button', { name: 'Refine', exact: true }).click();

  await page.getByRole('heading', { name: 'Builder has 2 questions' }).waitFor();
  await accessible(page, 'questions');
  await picture(page, 'refine-questions');

  // Wherever the item is shown, it says that it waits for a person.
  for (const path of ['p/DEMO/board', 'p/DEMO/list']) {
    await page.goto(`/o/demo/${path}`);
    await page.locator('[data-card="DEMO-2"]').getByText('Waits for your answers').waitFor();
  }
  await page.goto('/o/demo');
  const main = page.getByRole('main');
  // Among what needs a person, before their own work.
  const needs = main.getByRole('link', { name: /^DEMO-2.*Waits for your answers/ }).first();
  await needs.waitFor();
  await accessible(page, 'home with questions');
  await picture(page, 'home-questions');
  await page.goto('/o/demo/p/DEMO/items/DEMO-2');
  const runs = page.getByRole('region', { name: 'Runs', exact: true });
  await runs.getByText('Builder has 2 questions about the ticket.').waitFor();
  await runs.getByText('Waits for your answers', { exact: true }).waitFor();
  await accessible(page, 'an item with questions');
  await picture(page, 'item-questions');
  await runs.getByRole('link', { name: 'Answer the questions' }).click();

  await page.getByLabel('By which name are people greeted?').fill('By their first name');
  await ada.drafted('{"note":"","answers":{"1":"By their first name"}}');
  await page.reload();
  await expect
    .poll(() => page.getByLabel('By which name are people greeted?').inputValue())
    .toBe('By their first name');
  await page.getByRole('button', { name: 'Answer and refine' }).click();

  await page.getByRole('heading', { name: 'Builder proposes a ticket' }).waitFor();
  await page.locator('ins', { hasText: 'Greet people by their first name' }).waitFor();
  await page.getByText('The first name is used').waitFor();
  await page.goto('/o/demo/p/DEMO/items/DEMO-2');
  await runs.getByText('Waits for your word', { exact: true }).waitFor();
  await runs.getByRole('link', { name: 'See the proposal' }).click();
  await page.getByText('The first name is used').waitFor();
  await accessible(page, 'a proposal');
  await picture(page, 'refine-proposal');
  await page.getByLabel('What should change').fill('Make the title shorter.');
  await page.getByRole('button', { name: 'Ask for changes' }).click();
  await page.getByText('Round 3').waitFor();
  await page.getByRole('heading', { name: 'Builder proposes a ticket' }).waitFor();

  await page.getByRole('button', { name: 'Confirm ticket, move to In progress' }).click();
  await page.getByRole('heading', { name: 'The ticket is refined' }).waitFor();
  const item = await at.service.api<Item>('GET', '/orgs/demo/items/DEMO-2');
  expect(item).toMatchObject({
    title: 'Greet people by their first name',
    state: 'In progress',
    priority: 'high',
  });
  await accessible(page, 'a confirmed refinement');
  expect(ada.complaints).toEqual([]);
  await ada.leave();
});
