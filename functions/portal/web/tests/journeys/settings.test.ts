/** Settings of the project, the organization and the account: each opens, is accessible, and does what it says. */
import { describe, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/settings', (ada) =>
  ada.page.getByRole('navigation', { name: 'Greeter' }).waitFor(),
);

const SCREENS = [
  ...['general', 'members', 'teams', 'workflow', 'labels', 'templates', 'refinement', 'factory'].map(
    (id) => `/o/demo/p/DEMO/settings/${id}`,
  ),
  ...['general', 'members', 'invitations', 'code-hosting'].map((id) => `/o/demo/settings/${id}`),
  ...['profile', 'tokens', 'sessions', 'appearance'].map((id) => `/settings/${id}`),
];

describe('settings', () => {
  it.each(['light', 'dark'] as const)('are accessible everywhere, in the %s', async (colorScheme) => {
    const { page } = at.ada;
    await page.emulateMedia({ colorScheme });
    for (const path of SCREENS) {
      await page.goto(path);
      await page.getByRole('heading', { level: 2 }).first().waitFor();
      await accessible(page, `${path} ${colorScheme}`);
    }
    expect(at.ada.complaints).toEqual([]);
  });

  it('rename a state with its items', async () => {
    const { page } = at.ada;
    await page.goto('/o/demo/p/DEMO/settings/workflow');
    await page.getByLabel('Name of state 1', { exact: true }).fill('To do');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const state = async () =>
      (await at.service.api<{ state: string }>('GET', '/orgs/demo/items/DEMO-1')).state;
    await expect.poll(state).toBe('To do');
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
