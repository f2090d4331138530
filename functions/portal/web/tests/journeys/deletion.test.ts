/**
 * Agents, playbooks, projects and organizations are deleted after their name was typed, and restored for as long as they are kept. Archived
 * projects are found again.
 */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';
import { join } from '../joining';

const at = arriving('/o/demo/factory/agents', (ada) =>
  ada.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor(),
);

interface Named {
  id: string;
  name: string;
}

it('delete an agent, and restore it', async () => {
  const { page } = at.ada;
  await at.service.api('POST', '/orgs/demo/agents', { name: 'Helper' });
  await page.reload();
  const agents = page.getByRole('list', { name: 'Agents', exact: true });
  const deleted = page.getByRole('list', { name: 'Deleted agents' });
  const names = async () =>
    (await at.service.api<Named[]>('GET', '/orgs/demo/agents')).map(({ name }) => name);
  await agents.getByText('Helper').waitFor();
  expect(await deleted.count()).toBe(0);

  await page.getByRole('button', { name: 'Actions for Helper' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Helper?' });
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
  const field = dialog.getByLabel('Type Helper to confirm');
  await field.fill('Helpe');
  expect(await confirm.getAttribute('aria-disabled')).toBe('true');
  await field.press('Enter');
  await accessible(page, 'an agent to delete');
  await picture(page, 'agent-delete');
  expect(await names()).toContain('Helper');
  await field.fill('Helper');
  await field.press('Enter');
  await deleted.getByText('Helper').waitFor();
  await deleted.getByText('Deleted by Demo Owner').waitFor();
  await deleted.getByText(/^Until /).waitFor();
  await agents.getByText('Helper').waitFor({ state: 'detached' });
  expect(await names()).not.toContain('Helper');
  await accessible(page, 'a deleted agent');
  await picture(page, 'agents-deleted');
  await page.setViewportSize({ width: 375, height: 812 });
  await accessible(page, 'a deleted agent on a phone');
  await picture(page, 'agents-deleted-phone');

  // Another took its name meanwhile: the refusal says so, and the deleted one stays where it is.
  const other = await at.service.api<Named & { version: number }>('POST', '/orgs/demo/agents', {
    name: 'Helper',
  });
  const restore = deleted.getByRole('button', { name: 'Restore Helper' });
  await restore.click();
  await page.getByRole('alert').first().waitFor();
  await deleted.getByText('Helper').waitFor();
  await at.service.api('PATCH', `/orgs/demo/agents/${other.id}`, { version: other.version, name: 'Second' });
  await restore.click();
  await agents.getByText('Helper').waitFor();
  await deleted.waitFor({ state: 'detached' });
  expect(await names()).toEqual(expect.arrayContaining(['Helper', 'Second']));
  expect(at.ada.complaints).toEqual([]);
});

it('delete a playbook with its page, and restore both', async () => {
  const { page } = at.ada;
  const playbooks = '/orgs/demo/projects/DEMO/playbooks';
  const { id } = await at.service.api<Named>('POST', playbooks, {
    name: 'Translate',
    instructions: 'Translate the texts.',
    harness: 'harness_1',
    timeLimitMinutes: 20,
    deliveryMode: 'branchAndPullRequest',
  });
  await page.goto(`/o/demo/factory/playbooks/${id}?project=DEMO`);
  await page.getByText('Translate the texts.').waitFor();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Translate?' });
  await dialog.getByLabel('Type Translate to confirm').fill('Translate');
  await accessible(page, 'a playbook to delete');
  await picture(page, 'playbook-delete');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL('**/factory/playbooks?project=DEMO');
  const deleted = page.getByRole('list', { name: 'Deleted playbooks' });
  await deleted.getByText('Translate').waitFor();
  expect(await at.service.api<Named[]>('GET', playbooks)).toHaveLength(1);
  await accessible(page, 'a deleted playbook');
  await picture(page, 'playbooks-deleted');
  // Its old address says what became of it.
  await page.goto(`/o/demo/factory/playbooks/${id}?project=DEMO`);
  await page.getByText('The playbook was deleted.').waitFor();
  await picture(page, 'playbook-gone');
  await page.goto('/o/demo/factory/playbooks?project=DEMO');
  await deleted.getByRole('button', { name: 'Restore Translate' }).click();
  await page.getByRole('link', { name: 'Translate' }).click();
  await page.getByText('Translate the texts.').waitFor();
  expect(at.ada.complaints).toEqual([]);
});

it('say of a schedule, a rule and a run that what they name was deleted', async () => {
  const { page } = at.ada;
  const project = '/orgs/demo/projects/DEMO';
  const agent = await at.service.api<Named>('POST', '/orgs/demo/agents', { name: 'Painter' });
  const playbook = await at.service.api<Named>('POST', `${project}/playbooks`, {
    name: 'Paint',
    instructions: 'Paint it.',
    harness: 'harness_1',
    timeLimitMinutes: 20,
    deliveryMode: 'branchAndPullRequest',
  });
  const names = { playbook: playbook.id, agent: agent.id };
  await at.service.api('POST', `${project}/schedules`, {
    name: 'Weekly paint',
    cron: '0 6 * * MON',
    timeZone: 'UTC',
    type: 'task',
    title: 'Paint',
    ...names,
  });
  await at.service.api('POST', `${project}/rules`, { name: 'Paint it', state: 'In progress', ...names });
  const { key } = await at.service.api<{ key: string }>('POST', `${project}/items`, {
    type: 'task',
    title: 'To paint',
  });
  const run = await at.service.api<Named>('POST', `/orgs/demo/items/${key}/runs`, names);
  await at.service.api('DELETE', `/orgs/demo/agents/${agent.id}`);
  await at.service.api('DELETE', `${project}/playbooks/${playbook.id}`);

  await page.goto('/o/demo/factory/schedules?project=DEMO');
  const schedule = page.getByRole('list', { name: 'Schedules' }).getByRole('listitem');
  await schedule.getByText(/start Paint \(deleted\) on “Paint”/).waitFor();
  await schedule.getByText('as Painter (deleted)').waitFor();
  await accessible(page, 'a schedule whose playbook was deleted');
  await picture(page, 'schedule-gone');
  await page.getByRole('button', { name: 'More about Weekly paint' }).click();
  await page.getByRole('menuitem', { name: 'Change', exact: true }).click();
  const chosen = (label: string) => page.getByLabel(label, { exact: true }).locator('option:checked');
  await expect.poll(() => chosen('Start the playbook').textContent()).toBe('Paint (deleted)');
  await expect.poll(() => chosen('As the agent').textContent()).toBe('Painter (deleted)');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();

  await page.goto('/o/demo/factory/rules?project=DEMO');
  const rule = page.getByRole('list', { name: 'Rules' }).getByRole('listitem');
  await rule.getByText(/start Paint \(deleted\)/).waitFor();
  await rule.getByText('as Painter (deleted)').waitFor();

  await page.goto(`/o/demo/factory/runs/${run.id}`);
  await page.getByText('Queued · agent deleted').first().waitFor();
  await page.getByText(/^The agent Painter was deleted\. Restore it/).waitFor();
  const facts = page.getByRole('complementary');
  await expect.poll(() => facts.getByText('Deleted', { exact: true }).count()).toBe(2);
  expect(await facts.getByRole('link', { name: 'Paint', exact: true }).count()).toBe(0);
  await accessible(page, 'a run whose agent was deleted');
  await picture(page, 'run-gone');
  expect(at.ada.complaints).toEqual([]);
});

it('find an archived project again, and revive it', async () => {
  const { page } = at.ada;
  const { version } = await at.service.api<{ version: number }>('POST', '/orgs/demo/projects', {
    key: 'OLD',
    name: 'Old greetings',
  });
  await at.service.api('PATCH', '/orgs/demo/projects/OLD', { version, archived: true });
  await page.goto('/o/demo/p');
  const card = page.getByRole('main').getByRole('link', { name: /Old greetings/ });
  const box = page.getByLabel('Show archived');
  await box.waitFor();
  expect(await card.count()).toBe(0);
  await box.check();
  await card.getByText('Archived').waitFor();
  await accessible(page, 'projects with an archived one');
  await page.goto('/o/demo/p/OLD/settings/general');
  await page.getByRole('button', { name: 'Revive' }).click();
  await page.goto('/o/demo/p');
  await card.waitFor();
  expect(at.ada.complaints).toEqual([]);
});

it('delete a project after its key was typed, and restore it with its items', async () => {
  const { page } = at.ada;
  await at.service.api('POST', '/orgs/demo/projects', { key: 'TMP', name: 'Tried once' });
  await at.service.api('POST', '/orgs/demo/projects/TMP/items', { type: 'task', title: 'Kept with it' });
  await page.goto('/o/demo/p/TMP/board');
  await at.ada.card('TMP-1').waitFor();
  await page.goto('/o/demo/p/TMP/settings/general');
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Tried once?' });
  const field = dialog.getByLabel('Type TMP to confirm');
  await field.fill('tmp');
  expect(
    await dialog.getByRole('button', { name: 'Delete', exact: true }).getAttribute('aria-disabled'),
  ).toBe('true');
  await accessible(page, 'a project to delete');
  await picture(page, 'project-delete');
  await field.fill('TMP');
  await field.press('Enter');
  await page.waitForURL('**/o/demo/p');
  const deleted = page.getByRole('list', { name: 'Deleted projects' });
  await deleted.getByText('Tried once').waitFor();
  await deleted.getByText(/^Until /).waitFor();
  await page.getByRole('navigation').getByText('Tried once').waitFor({ state: 'detached' });
  await accessible(page, 'a deleted project');
  await picture(page, 'projects-deleted');
  // Nothing of it is shown from what this browser keeps.
  await page.goto('/o/demo/p/TMP/board');
  await page
    .getByText(/was deleted/)
    .first()
    .waitFor();
  expect(await at.ada.card('TMP-1').count()).toBe(0);
  await picture(page, 'project-gone');
  await page.goto('/o/demo/p');
  await deleted.getByRole('button', { name: 'Restore Tried once' }).click();
  await deleted.waitFor({ state: 'detached' });
  await page.goto('/o/demo/p/TMP/board');
  await at.ada.card('TMP-1').waitFor();
  expect(at.ada.complaints).toEqual([]);
});

it('delete one’s only organization while others are in it, and restore it', async () => {
  const { page } = at.ada;
  const bob = await join(at, 'bob@example.com', 'member');
  await bob.page.goto('/o/demo/settings/general');
  await bob.page.getByRole('heading', { name: 'Leave' }).waitFor();
  expect(await bob.page.getByRole('heading', { name: 'Delete this organization' }).count()).toBe(0);

  await page.goto('/o/demo/settings/general');
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Demo?' });
  const field = dialog.getByLabel('Type demo to confirm');
  await field.fill('Demo');
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
  expect(await confirm.getAttribute('aria-disabled')).toBe('true');
  await accessible(page, 'an organization to delete');
  await pictures(page, 'organization-delete');
  await field.fill('demo');
  await field.press('Enter');
  await page.waitForURL('**/new-organization');
  await page.getByText('You are in no organization.').waitFor();
  await page.getByText('Demo deleted').waitFor();
  await page.getByText('under Organizations in your account settings').waitFor();
  const deleted = page.getByRole('list', { name: 'Deleted organizations' });
  await deleted.getByText('Deleted by Demo Owner').waitFor();
  await deleted.getByText(/^Until /).waitFor();
  await accessible(page, 'nothing but a deleted organization');
  await pictures(page, 'organization-none-left');

  // Whoever is in it is told, without a reload, and cannot restore it.
  const sentence = /^The organization was deleted\. One of its Owners can restore it until /;
  await bob.page.getByText(sentence).waitFor();
  expect(await bob.page.getByRole('heading', { name: 'Leave' }).count()).toBe(0);
  await accessible(bob.page, 'a deleted organization for a member');
  await pictures(bob.page, 'organization-gone-member');
  await bob.page.goto('/settings/organizations');
  const theirs = bob.page.getByRole('list', { name: 'Deleted organizations' });
  await theirs.getByText('Deleted by Demo Owner. One of its Owners can restore it.').waitFor();
  await theirs.getByText(/^Until /).waitFor();
  expect(await bob.page.getByRole('button', { name: /Restore/ }).count()).toBe(0);
  await pictures(bob.page, 'organizations-member');

  // An address in it says the same to an Owner, and brings it back.
  await page.goto('/o/demo/p/DEMO/board');
  await page.getByText(sentence).waitFor();
  expect(await at.ada.card('DEMO-1').count()).toBe(0);
  await accessible(page, 'a deleted organization for an Owner');
  await pictures(page, 'organization-gone');
  await page.getByRole('button', { name: 'Restore Demo' }).click();
  await at.ada.card('DEMO-1').waitFor();
  await bob.page.goto('/o/demo/p');
  await bob.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  expect(at.ada.complaints).toEqual([]);
  expect(bob.complaints).toEqual([]);
  await bob.leave();
});

it('delete one of several organizations, and find it again from the switcher', async () => {
  const { page } = at.ada;
  await page.goto('/new-organization');
  await page.getByLabel('Name').fill('Spare');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.waitForURL('**/o/spare/p');
  const switcher = page.getByRole('button', { name: /^Switch organization/ });
  const entry = page.getByRole('menuitem', { name: 'Deleted organizations' });
  await page.goto('/o/spare/settings/general');
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Spare?' });
  await dialog.getByLabel('Type spare to confirm').fill('spare');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.waitForURL('**/o/demo');
  await page.getByText('Spare deleted').waitFor();
  await switcher.click();
  await entry.waitFor();
  expect(await page.getByRole('menuitem', { name: 'Spare' }).count()).toBe(0);
  await picture(page, 'organization-switcher');
  await entry.click();
  await page.waitForURL('**/settings/organizations');
  const deleted = page.getByRole('list', { name: 'Deleted organizations' });
  await accessible(page, 'organizations, one deleted');
  await pictures(page, 'organizations');
  await deleted.getByRole('button', { name: 'Restore Spare' }).click();
  await deleted.waitFor({ state: 'detached' });
  const organizations = page.getByRole('list', { name: 'Organizations', exact: true });
  await organizations.getByRole('link', { name: 'Spare' }).click();
  await page.waitForURL('**/o/spare');
  expect(at.ada.complaints).toEqual([]);
});

/** Pictures of a page on a screen and on a phone. */
async function pictures(page: Page, name: string): Promise<void> {
  await picture(page, name);
  const before = page.viewportSize();
  await page.setViewportSize({ width: 375, height: 812 });
  await accessible(page, `${name} on a phone`);
  await picture(page, `${name}-phone`);
  if (before) await page.setViewportSize(before);
}
