/** A phone: what the sidebar holds on wide windows is behind More. */
import { expect, it } from 'vitest';
import { accessible, Person, picture, serving } from '../harness';

const at = serving();

it('reaches milestones, settings, themes and the way out', async () => {
  const ada = await Person.arrive(at.service, { width: 390, height: 844 });
  const { page } = ada;
  await ada.enter(at.demo.email, at.demo.password, '/o/demo/p/DEMO/board');
  const more = page.getByRole('button', { name: 'More', exact: true }).last();
  const sheet = page.getByRole('dialog', { name: 'More' });

  await more.click();
  await sheet.getByRole('link', { name: 'Milestones' }).waitFor();
  await accessible(page, 'More on a phone');
  await picture(page, 'phone-more');
  await sheet.getByRole('button', { name: 'Dark' }).click();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  await accessible(page, 'More on a phone, dark');
  await picture(page, 'phone-more-dark');
  await sheet.getByRole('link', { name: 'Milestones' }).click();
  await page.getByRole('heading', { name: 'Milestones', level: 1 }).waitFor();
  await sheet.waitFor({ state: 'detached' });

  await more.click();
  await sheet.getByRole('link', { name: 'Organization settings' }).click();
  await page.waitForURL('**/o/demo/settings/general');
  await more.click();
  await sheet.getByRole('link', { name: 'Account settings' }).click();
  await page.waitForURL('**/settings/profile');
  await more.click();
  await sheet.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  expect(ada.complaints).toEqual([]);
});
