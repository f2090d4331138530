/** Settings of the project, the organization and the account: each does what it says. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accessible, arriving, chooseField, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/settings', (ada) =>
  ada.page.getByRole('navigation', { name: 'Greeter' }).waitFor(),
);

describe('settings', () => {
  it('rename a state with its items', async () => {
    const { page } = at.ada;
    await page.goto('/o/demo/p/DEMO/settings/workflow');
    await page.getByLabel('Name of state 1', { exact: true }).fill('To do');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const state = async () =>
      (await at.service.api<{ state: string }>('GET', '/orgs/demo/items/DEMO-1')).state;
    await expect.poll(state).toBe('To do');
    await page.getByLabel('Limit of To do').fill('1');
    await page.getByRole('button', { name: 'Save' }).click();
    const workflow = () =>
      at.service.api<{ states: { wipLimit?: number }[] }>('GET', '/orgs/demo/projects/DEMO/workflow');
    await expect.poll(async () => (await workflow()).states[0]?.wipLimit).toBe(1);
    await page.goto('/o/demo/p/DEMO/board');
    await page.getByText(/^\d+\/1 over$/).waitFor();
    await accessible(page, 'a state over its limit');
    await page.goBack();
    await page.getByLabel('Limit of To do').waitFor();
    await picture(page, 'workflow');
  });

  it('hold what agents are told of the project and where they work', async () => {
    const { page } = at.ada;
    await page.goto('/o/demo/p/DEMO/settings/refinement');
    await page.getByLabel('Product').fill('Greets people by name.');
    await page.getByLabel('How tickets are written').fill('As a person I want …');
    await page.getByLabel('Naming').fill('[area] title');
    await page.getByLabel('Platforms and devices').fill('Web');
    await page.getByLabel('Confirmed tickets go to').selectOption('In progress');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.goto('/o/demo/p/DEMO/settings/factory');
    await page.getByLabel('Path hint').fill('/srv/greeter');
    await page.getByLabel('Default branch').fill('trunk');
    await accessible(page, 'factory settings');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    for (const [area, label, value] of [
      ['refinement', 'Naming', '[area] title'],
      ['refinement', 'Confirmed tickets go to', 'In progress'],
      ['factory', 'Default branch', 'trunk'],
      ['factory', 'Path hint', '/srv/greeter'],
    ] as const) {
      await page.goto(`/o/demo/p/DEMO/settings/${area}`);
      await expect.poll(() => page.getByLabel(label).inputValue()).toBe(value);
    }
    expect(at.ada.complaints).toEqual([]);
  });

  it('hold templates, with which new items begin', async () => {
    const { page } = at.ada;
    await page.goto('/o/demo/p/DEMO/settings/templates');
    await page.getByRole('button', { name: 'New template' }).click();
    await page.getByLabel('Name').fill('Crash');
    await page.getByLabel('Type').selectOption('bug');
    await page.getByLabel('Priority').selectOption('high');
    await page.getByLabel('Labels').fill('triage');
    await page.getByLabel('Description, Markdown').fill('## Steps');
    await accessible(page, 'a template');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('list', { name: 'Templates' }).getByText('Crash').waitFor();
    await page.goto('/o/demo/p/DEMO/board');
    await page.getByRole('button', { name: 'Create item', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: /New item/ });
    await chooseField(page, dialog, 'Type', 'Bug');
    await chooseField(page, dialog, 'Template', 'Crash');
    await dialog.getByRole('button', { name: 'Labels: triage' }).waitFor();
    await dialog.getByLabel('Title').fill('Greets twice');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('a[data-card]', { hasText: 'Greets twice' }).waitFor();
    interface Found {
      items: { title: string; priority: string; labels: string[]; type: string }[];
    }
    const made = async () => {
      const { items } = await at.service.api<Found>('GET', '/orgs/demo/projects/DEMO/items?q=twice');
      const [item] = items;
      return item && [item.type, item.priority, ...item.labels];
    };
    await expect.poll(made).toEqual(['bug', 'high', 'triage']);
    expect(at.ada.complaints).toEqual([]);
  });

  it('show an access token once', async () => {
    const { page } = at.ada;
    await page.goto('/settings/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('laptop');
    await page.getByLabel('mcp').check();
    await accessible(page, 'new token');
    await page.getByRole('button', { name: 'Create token' }).click();
    const secret = page.getByLabel('Access token', { exact: true });
    expect(await secret.textContent()).toMatch(/^svp_/);
    await page.getByText('"mcpServers"').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('laptop').waitFor();
    expect(await page.getByText(/svp_/).count()).toBe(0);
  });

  it('hand out an invitation’s link where the instance sends no mail', async () => {
    const { page } = at.ada;
    await page.goto('/o/demo/settings/invitations');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('E-mail address').fill('eve@example.com');
    await page.getByLabel('As', { exact: true }).selectOption('stakeholder');
    await page.getByText('never sees what agents write').waitFor();
    await page.getByRole('button', { name: 'Send invitation' }).click();
    expect(await page.getByLabel('Invitation link', { exact: true }).textContent()).toContain('/join#');
  });

  it('tell in the audit log who did what', async () => {
    const { page } = at.ada;
    await at.service.api('POST', '/orgs/demo/invitations', { email: 'kit@example.com', preset: 'guest' });
    await page.goto('/o/demo/settings/audit');
    const line = page
      .getByRole('list', { name: 'Audit log' })
      .getByRole('listitem')
      .filter({ hasText: 'Invitation sent' })
      .filter({ hasText: 'kit@example.com' });
    await line.waitFor();
    await accessible(page, 'the audit log');
    await picture(page, 'audit-log');
    const actions = page.getByLabel('Everything');
    await actions.selectOption('Channels, webhooks, code host');
    await page.getByText('Nothing of that.').waitFor();
    await actions.selectOption('People and access');
    await line.waitFor();
    // Days are whole, and the address has what is asked for.
    const today = await page.evaluate(() => new Date().toLocaleDateString('sv'));
    await page.getByLabel('From', { exact: true }).fill(today);
    await page.getByLabel('To', { exact: true }).fill(today);
    await page.getByLabel('Anybody').selectOption({ label: 'Demo Owner' });
    await page.waitForURL(({ searchParams }) =>
      ['what', 'by', 'from', 'to'].every((name) => searchParams.has(name)),
    );
    expect(new URL(page.url()).searchParams.get('from')).toBe(today);
    await page.reload();
    await line.waitFor();
    await accessible(page, 'the audit log, filtered');
    await picture(page, 'audit-log-filtered');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('The first day is after the last one.').waitFor();
    await page.getByText('Nothing of that.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await line.waitFor();
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((text) => JSON.parse(text).name)).toContain('kit@example.com');
    expect(at.ada.complaints).toEqual([]);
  });
});
