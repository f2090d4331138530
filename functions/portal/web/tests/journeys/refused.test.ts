/** Nothing that the service refuses is lost: comments, descriptions, new items. And what cannot be shown says why. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessible, arriving, chooseField } from '../harness';

const at = arriving('/o/demo/p/DEMO/items/DEMO-1', (ada) =>
  ada.page.getByText('As a visitor I want').waitFor(),
);

/** The next request of this kind is refused with this problem. */
async function refuseOnce(page: Page, method: string, address: RegExp, errors: Record<string, string[]>) {
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const problem = { type: 'validation-failed', title: 'Refused.', status: 422, traceId: 't', errors };
    await route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify(problem),
    });
    await page.unroute(address);
  });
}

describe('what is refused', () => {
  it('stays: a comment and a description', async () => {
    const { page } = at.ada;
    await refuseOnce(page, 'POST', /\/items\/DEMO-1\/comments$/, { body: ['Not this.'] });
    await page.getByRole('button', { name: 'Write a comment…' }).click();
    const box = page.getByRole('textbox', { name: 'Write a comment…' });
    await box.waitFor();
    await page.keyboard.type('Refused thought');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Not this. Your text is kept where you wrote it.').waitFor();
    await expect.poll(() => box.textContent()).toBe('Refused thought');
    await page.reload();
    await expect.poll(() => box.textContent()).toBe('Refused thought');
    await refuseOnce(page, 'PATCH', /\/items\/DEMO-1$/, { body: ['Nor that.'] });
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    const description = page.getByRole('textbox', { name: 'Description' });
    await description.waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' Refused line');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Nor that. Your text is kept where you wrote it.').waitFor();
    await expect.poll(() => description.textContent()).toContain('Refused line');
    await page.getByText('Your unsaved text is back.').waitFor();
    await accessible(page, 'refused');
  });

  it('stays: a new item with all its fields, beside the reason', async () => {
    const { page, service } = { page: at.ada.page, service: at.service };
    await page.goto(`${service.url}/o/demo/p/DEMO/board`);
    await page.locator('[data-card]').first().waitFor();
    await refuseOnce(page, 'POST', /\/projects\/DEMO\/items$/, { labels: ['A label has no comma.'] });
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Refused item');
    await chooseField(page, dialog, 'Type', 'Bug');
    await chooseField(page, dialog, 'Priority', 'Highest');
    await dialog.getByRole('button', { name: 'Labels' }).click();
    for (const label of ['one', 'two']) {
      await page.getByRole('combobox', { name: 'Labels' }).fill(label);
      await page.getByRole('option', { name: `Create label "${label}"` }).click();
    }
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('A label has no comma.').waitFor();
    const values = async () => [
      await dialog.getByLabel('Title').inputValue(),
      ...(await dialog.getByRole('group', { name: 'Fields' }).getByRole('button').allTextContents()),
    ];
    await expect
      .poll(values)
      .toEqual(
        expect.arrayContaining(['Refused item', 'Type: Bug', 'Priority: Highest', 'Labels: one, two']),
      );
    await dialog.getByLabel('Title').fill('x'.repeat(400));
    await dialog.getByText('This has 400 characters; 300 are the most.').waitFor();
    await accessible(page, 'refused-item');
    await dialog.getByLabel('Title').fill('Mended item');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Mended item').first().waitFor();
    await page.keyboard.press('c');
    await expect
      .poll(values)
      .toEqual(expect.arrayContaining(['', 'Type: Task', 'Priority: Medium', 'Labels']));
    await page.keyboard.press('Escape');
  });

  it('says why nothing is shown: a wrong filter, an unknown organization', async () => {
    const { page } = at.ada;
    await page.goto(
      `${at.service.url}/o/demo/p/DEMO/board?filter=${encodeURIComponent('priority:urgentest')}`,
    );
    await page.getByText('A term of the filter is wrong, so nothing is shown.').waitFor();
    await page
      .getByRole('search')
      .getByText(/^`priority:urgentest`: /)
      .waitFor();
    expect(await page.locator('[data-card]').count()).toBe(0);
    await accessible(page, 'wrong-filter');
    await page.goto(`${at.service.url}/o/zzz`);
    await page.getByRole('link', { name: 'Go home' }).waitFor();
    expect(await page.getByText('you may not see it').count()).toBe(1);
  });
});
