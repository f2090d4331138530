/** Settings of the project, the organization and the account: each does what it says. */
import { describe, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

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
});
