/** Work of other trackers comes in by the browser: seen first, mapped, once, and on after a network that went away. */
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/p', (ada) => ada.page.getByRole('heading', { name: 'Projects' }).waitFor());

const refusal = {
  status: 403,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'forbidden', title: 'Not now.', status: 403, traceId: 'x' }),
};
const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** With a byte order mark, lines in cells, a guarded formula, missing last cells and a circle. */
const LINEAR = `\uFEFFID,Team,Title,Description,Status,Priority,Creator,Assignee,Labels,Created,Parent issue,Canceled
WEB-1,Web,"Names, cut off","First line
second line",In Review,Urgent,ada@example.com,former@example.com,"ui, bug",2026-01-05T09:00:00.000Z,WEB-2
WEB-2,Web,'=SUM(A1),,Todo,No priority,,,,2026-01-05T10:00:00.000Z,WEB-1
WEB-3,Web,Plain,,Canceled,Low,,,,2026-01-06T10:00:00.000Z
`;

/** With repeated columns, a row that is wider than the header, dates that say nothing of their order, and a deleted person. */
const JIRA = `Summary,Issue key,Issue Type,Status,Assignee,Created,Labels,Labels,Comment,Parent
"Cut, off",SHOP-2,Bug,In Review,,3/4/2026 9:00,ui,api,3/4/2026 10:00;557058:gone;Me too,SHOP-1
Names,SHOP-1,Story,To Do,Former user,2/4/2026 9:00,,,,,too wide
`;

it('a Linear export comes into a new project, and the second time nothing changes', async () => {
  const { page } = at.ada;
  await page.getByRole('button', { name: 'New project' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Moved in');
  await page.getByLabel('Import work from another tracker next').check();
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.waitForURL('**/o/demo/p/MI/settings/import');
  await page.getByLabel('Where from').selectOption('Linear');
  await page.getByLabel('Files').setInputFiles(file('linear.csv', LINEAR));
  await page.getByRole('button', { name: 'See what would come' }).click();
  await page.getByText(/3 items · .*2 labels/).waitFor();
  await page.getByText('=SUM(A1)', { exact: false }).waitFor();
  await accessible(page, 'what would come');
  await picture(page, 'import-preview');
  await page.getByLabel(/^In Review/).selectOption('Closed');
  await page.getByRole('button', { name: 'Import 3 items' }).click();
  await page.getByText(/new, 0 changed/).waitFor();
  await page
    .getByText(/in a circle/)
    .first()
    .waitFor();
  await picture(page, 'import-done');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download what does not come' }).click();
  expect((await saved).suggestedFilename()).toBe('import-report.ndjson');
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByRole('button', { name: 'Import 3 items' }).click();
  await page.getByText('Everything was there before: nothing changed.').waitFor();
  await page.getByRole('link', { name: 'Open the board' }).click();
  await at.ada.column('Closed').getByText('Names, cut off').waitFor();
  await page.getByText('=SUM(A1)').waitFor();
});

it('a Jira export asks for the order of its dates, and goes on where the network went away', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/p/DEMO/settings/import');
  await page.getByLabel('Where from').selectOption('Jira');
  await page.getByLabel('Files').setInputFiles(file('jira.csv', JIRA));
  await page.getByRole('button', { name: 'See what would come' }).click();
  await page.getByText(/can be read in two ways/).waitFor();
  await page.getByLabel('Dates such as 3/4/2026').selectOption('Day first');
  await page.getByRole('button', { name: 'See what would come' }).click();
  await page.getByText(/2 items · 1 comment/).waitFor();
  await page.getByText(/the row is wider than the header/).waitFor();
  let cut = true;
  await page.route('**/import/files', (route) => (cut ? route.fulfill(refusal) : route.continue()));
  await page.getByRole('button', { name: 'Import 2 items' }).click();
  await page.getByText('Not now.').waitFor();
  await accessible(page, 'an import that broke off');
  cut = false;
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText(/new, 0 changed/).waitFor();
  await page.goto('/o/demo/p/DEMO/list?filter=label:api');
  await page.getByText('Cut, off').waitFor();
});

it('a file that is none of the source is said to be', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/p/DEMO/settings/import');
  await page.getByLabel('Where from').selectOption('Linear');
  await page.getByLabel('Files').setInputFiles(file('jira.csv', 'Title\nA\n'));
  await page.getByRole('button', { name: 'See what would come' }).click();
  await page.getByText(/jira\.csv has no column/i).waitFor();
  expect(await page.getByRole('button', { name: /^Import / }).count()).toBe(0);
});
