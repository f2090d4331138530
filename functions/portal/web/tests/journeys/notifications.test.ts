/** What people are told, where and when: set by themselves, suggested by their organization, muted from where one is. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessible, Person, picture } from '../harness';
import { PATIENCE } from '../patience';
import { Service } from '../service';

/** A platform's incoming webhooks: it takes what comes, until it says that it is gone. */
let chat: Server;
let gone = false;
let arrived = 0;
let service: Service;
let ada: Person;

beforeAll(async () => {
  chat = createServer((request, response) => {
    request.resume().on('end', () => {
      arrived += gone ? 0 : 1;
      response.writeHead(gone ? 404 : 200, { 'content-type': 'text/plain' }).end(gone ? 'no_service' : 'ok');
    });
  });
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
  const { port } = chat.address() as AddressInfo;
  service = await Service.start({
    demo: true,
    settings: {
      Notifications__Chat2Prefix: `http://127.0.0.1:${port}/services/`,
      Notifications__Chat4Hosts: `http://127.0.0.1:${port}`,
      Outbound__PrivateNetworks: '127.0.0.1',
    },
  });
  ada = await Person.arrive(service);
  await ada.enter(service.demo?.email ?? '', service.demo?.password ?? '', '/settings/notifications');
}, PATIENCE);

afterAll(async () => {
  await ada?.leave();
  await service?.stop();
  chat?.close();
});

const QUERY = 'api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=abcDEF-_0123456789abcd';
const workflow = () =>
  `http://127.0.0.1:${(chat.address() as AddressInfo).port}/workflows/0123456789abcdef/triggers/manual/paths/invoke?${QUERY}`;
const address = () => `http://127.0.0.1:${(chat.address() as AddressInfo).port}/services/T000/B000/x7Qz`;

it('people choose for each kind, and the service keeps whole entries', async () => {
  const { page } = ada;
  const mail = page.getByLabel('Somebody mentions you, Mail');
  await mail.selectOption('Once a day');
  const inbox = page.getByLabel('Somebody starts to work on an item that you watch, Inbox');
  await inbox.click();
  await expect.poll(() => inbox.isChecked()).toBe(false);
  await expect
    .poll(() => page.getByLabel('Somebody starts to work on an item that you watch, Mail').isDisabled())
    .toBe(true);
  interface Kept {
    kind: string;
    inApp: boolean;
    email: string;
  }
  const kept = async (kind: string) =>
    (await service.api<Kept[]>('GET', '/me/notification-preferences')).find((entry) => entry.kind === kind);
  await expect.poll(() => kept('mentioned')).toMatchObject({ inApp: true, email: 'digest' });
  await expect.poll(() => kept('claimed')).toMatchObject({ inApp: false });
  await page.getByLabel('Hour').selectOption('07:00');
  await expect.poll(() => service.api('GET', '/me/notification-settings')).toMatchObject({ digestHour: 7 });
  await page.reload();
  await expect.poll(() => mail.inputValue()).toBe('digest');
  await accessible(page, 'notifications');
  await picture(page, 'notifications');
});

it('people see that mail does not get to them, and what to do', async () => {
  const { page } = ada;
  const mailProblem = 'This instance sends no mail. Its operator can turn it on with the `Mail` settings.';
  const path = '**/api/v1/me/notification-settings';
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), mailProblem } });
  });
  await page.reload();
  const section = page.getByRole('region', { name: 'What you are told' });
  await section.getByRole('status').getByText(mailProblem.replaceAll('`', '')).waitFor();
  await accessible(page, 'mail that does not arrive');
  await picture(page, 'notifications-no-mail');
  await page.unroute(path);
  await page.reload();
});

it('a chat is connected, tested, breaks plainly, and works again by a test', async () => {
  const { page } = ada;
  const slack = page.getByRole('listitem').filter({ hasText: 'Slack' });
  await slack.getByRole('button', { name: 'Connect' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect Slack' });
  await dialog.getByLabel('Address of the incoming webhook').fill('https://evil.example/services/x');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.getByText(/incoming webhook of the shape/).waitFor();
  await accessible(page, 'a wrong webhook');
  await dialog.getByLabel('Address of the incoming webhook').fill(address());
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await slack.getByText('Connected').waitFor();
  // It has a column now, and the address is not shown again.
  await page.getByLabel('Somebody mentions you, Slack').selectOption('At once');
  expect(await page.content()).not.toContain('T000');
  const before = arrived;
  await slack.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('A test message was sent to Slack.').waitFor();
  expect(arrived).toBe(before + 1);
  gone = true;
  await slack.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/The test did not arrive/).waitFor();
  gone = false;
  await slack.getByRole('button', { name: 'Send a test' }).click();
  await slack.getByText('Connected').waitFor();
  await page.getByRole('button', { name: 'Remove: Slack' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await slack.getByRole('button', { name: 'Connect' }).waitFor();
});

it('Admins suggest to members, and tell chats of the organization', async () => {
  const { page } = ada;
  await page.goto('/o/demo/settings/defaults');
  await page.getByLabel('An item is assigned to you, Mail').selectOption('Once a day');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(await service.api('GET', '/orgs/demo/notification-defaults')).toMatchObject([
    { kind: 'assigned', email: 'digest' },
  ]);
  await accessible(page, 'defaults');
  await page.goto('/o/demo/settings/channels');
  await page.getByText('No chat is connected yet.').waitFor();
  await page.getByRole('button', { name: 'New channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('#builds');
  await dialog.getByLabel('Address of the incoming webhook').fill(address());
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByLabel('A run fails, Slack').selectOption('At once');
  interface Found {
    channels: { name: string; modes: Record<string, string> }[];
  }
  await expect
    .poll(async () => (await service.api<Found>('GET', '/orgs/demo/notification-channels')).channels)
    .toMatchObject([{ name: '#builds', modes: { runFailed: 'immediate' } }]);
  // Teams is one of an organization alone.
  await page.getByRole('button', { name: 'New channel' }).click();
  await dialog.getByLabel('Where').selectOption('Teams');
  await dialog.getByLabel('Name').fill('Release team');
  await dialog.getByLabel('Address of the workflow').fill(workflow().replace('&sig=', '&to=x&sig='));
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await dialog.getByText(/address of a workflow that Teams gives out/).waitFor();
  await accessible(page, 'a wrong workflow');
  await picture(page, 'organization-teams');
  await dialog.getByLabel('Address of the workflow').fill(workflow());
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  const team = page.getByRole('listitem').filter({ hasText: 'Release team' });
  await team.getByText('…cdef').waitFor();
  await team.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('A test message was sent to Release team.').waitFor();
  expect(await page.content()).not.toContain('sig=');
  await accessible(page, 'channels of the organization');
  await picture(page, 'organization-channels');
});

it('an item, a project and an agent are muted from where one is, and heard again', async () => {
  const { page } = ada;
  const muted = async () =>
    (await service.api<{ mutes: { what: string }[] }>('GET', '/me/notification-settings')).mutes.map(
      ({ what }) => what,
    );
  const mute = async (path: string, menu: RegExp, entry: string) => {
    await page.goto(path);
    await page.getByRole('button', { name: menu }).first().click();
    await page.getByRole('menuitem', { name: entry }).click();
    await page
      .getByText(/You hear nothing of/)
      .last()
      .waitFor();
  };
  await mute('/o/demo/p/DEMO/items/DEMO-1', /^More/, 'Mute the item');
  await mute('/o/demo/p/DEMO/list', /^List actions/, 'Mute the project');
  await mute('/o/demo/factory/agents', /^(More|Actions)/, 'Mute the agent, unless it needs me');
  await expect.poll(async () => (await muted()).sort()).toEqual(['agent', 'item', 'project']);
  await page.goto('/settings/notifications');
  const list = page.getByRole('list', { name: 'Muted' });
  await list.getByText('DEMO-1').waitFor();
  await accessible(page, 'mutes');
  while ((await list.getByRole('button').count()) > 0) {
    const left = await list.getByRole('button').count();
    await list.getByRole('button').first().click();
    await expect.poll(() => list.getByRole('button').count()).toBe(left - 1);
  }
  expect(await muted()).toEqual([]);
  expect(ada.complaints.filter((one) => !/422/.test(one))).toEqual([]);
});
