/** Schedules: made with a preview of their times, fired, paused, changed and deleted in the app. */
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/factory/schedules', (ada) =>
  ada.page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor(),
);

interface Schedule {
  id: string;
  cron: string;
  timeZone: string;
  paused: boolean;
}

const all = () => at.service.api<Schedule[]>('GET', '/orgs/demo/projects/DEMO/schedules');

it('make items at their times, and say what they did', async () => {
  const { page } = at.ada;
  await page.getByText('No schedule yet').waitFor();
  await accessible(page, 'no schedule');
  await page.getByRole('button', { name: 'New schedule' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Dependencies');
  await dialog.getByLabel('How often').selectOption('Monday to Friday');
  await dialog.getByLabel('At', { exact: true }).fill('06:30');
  await dialog.getByLabel('Time zone').fill('Asia/Tok');
  const times = dialog.getByRole('listitem');
  await expect.poll(() => times.count()).toBe(0);
  await picture(page, 'schedule-wrong-zone');
  await dialog.getByLabel('Time zone').fill('Asia/Tokyo');
  const inTokyo = /^(Mon|Tue|Wed|Thu|Fri), \w{3} \d+, 06:30 .* for you$/;
  await expect.poll(() => times.allTextContents()).toEqual(Array(3).fill(expect.stringMatching(inTokyo)));
  await dialog.getByLabel('Title').fill('Update dependencies ({date})');
  await dialog.getByLabel('With the harness').selectOption('harness_3');
  await accessible(page, 'new schedule');
  await picture(page, 'schedule-new');
  await dialog.getByRole('button', { name: 'Create schedule' }).click();
  const row = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem');
  await row.getByText(/^Monday to Friday at 06:30 \(Asia\/Tokyo\), start Implement on/).waitFor();
  await row.getByText('Has not fired yet').waitFor();
  const made = { cron: '30 6 * * MON-FRI', timeZone: 'Asia/Tokyo', harness: 'harness_3', paused: false };
  expect(await all()).toMatchObject([made]);

  const more = async (entry: string) => {
    await page.getByRole('button', { name: 'More about Dependencies' }).click();
    await page.getByRole('menuitem', { name: entry, exact: true }).click();
  };
  await more('Fire now');
  await row.getByText(/Last time: started DEMO-\d+/).waitFor();
  await more('Show what it did');
  const firings = page.getByRole('list', { name: 'What Dependencies did' });
  await firings.getByRole('link', { name: /Made DEMO-\d+ and started a run/ }).waitFor();
  await accessible(page, 'schedules');
  await picture(page, 'schedules');
  await firings.getByRole('link', { name: /Made DEMO-\d+ and started a run/ }).click();
  await page.getByRole('link', { name: 'the schedule Dependencies' }).click();
  await page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor();

  await more('Pause');
  await row.getByText('Paused', { exact: true }).waitFor();
  await more('Resume');
  await expect.poll(async () => (await all())[0]?.paused).toBe(false);
  await more('Change');
  expect(await dialog.getByLabel('With the harness').inputValue()).toBe('harness_3');
  await dialog.getByLabel('With the harness').selectOption('');
  await dialog.getByLabel('How often').selectOption('Cron expression');
  const expression = dialog.getByRole('textbox', { name: 'Cron expression' });
  expect(await expression.inputValue()).toBe('30 6 * * MON-FRI');
  await expression.fill('* * * * *');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => expression.getAttribute('aria-invalid')).toBe('true');
  await expression.fill('0 6 1 */3 *');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText(/^By the expression 0 6 1 \*\/3 \*/).waitFor();
  expect(await all()).toMatchObject([{ harness: null }]);
  await more('Delete');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No schedule yet').waitFor();
  expect(at.ada.complaints).toEqual([]);
});
