/** Webhooks of an organization: made, tested, followed, mended and deleted in its settings. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessible, inSight, Person, picture } from '../harness';
import { PATIENCE } from '../patience';
import { Service } from '../service';

interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
}

/** An address that checks nothing and keeps what comes. */
let receiver: Server;
let status = 200;
const received: Delivery[] = [];
let service: Service;
let ada: Person;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  service = await Service.start({ demo: true, settings: { Outbound__PrivateNetworks: '127.0.0.1' } });
  ada = await Person.arrive(service);
  await ada.enter(service.demo?.email ?? '', service.demo?.password ?? '', '/o/demo/settings/webhooks');
}, PATIENCE);

afterAll(async () => {
  await ada?.leave();
  await service?.stop();
  receiver?.close();
});

const address = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const row = (name: string) =>
  ada.page
    .getByRole('list', { name: 'Webhooks', exact: true })
    .getByRole('listitem')
    .filter({ hasText: name });
const choose = async (name: string, entry: string) => {
  await ada.page.getByRole('button', { name: `Actions for ${name}` }).click();
  await ada.page.getByRole('menuitem', { name: entry }).click();
};

/** The signatures of a delivery, as its receiver computes them. */
function signedBy(secret: string, { headers, body }: Delivery): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    .digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signed}`);
}

let first = '';

it('a webhook is made with its events and projects, and its secret is shown once', async () => {
  const { page } = ada;
  await page.getByText('No webhook yet.').waitFor();
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('Name').fill('n8n');
  await dialog.getByLabel('Address').fill('http://10.1.2.3/hook');
  await dialog.getByLabel('An item is created').check();
  await dialog.getByLabel('A run ends').check();
  await dialog.getByLabel('Greeter').check();
  // In a low window the button is far below what it refuses, which is led to.
  await page.setViewportSize({ width: 1440, height: 480 });
  await dialog.getByRole('button', { name: 'New webhook' }).click();
  const refusal = dialog.getByText(/The address is refused/);
  await refusal.waitFor();
  await expect.poll(() => inSight(refusal)).toBe(true);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('url');
  await page.setViewportSize({ width: 1440, height: 900 });
  await accessible(page, 'a refused webhook');
  await picture(page, 'webhook-form');
  await dialog.getByLabel('Address').fill(address());
  await dialog.getByRole('button', { name: 'New webhook' }).click();
  const made = page.getByRole('dialog', { name: 'n8n is ready' });
  first = (await made.getByRole('group', { name: 'Secret' }).locator('code').textContent()) ?? '';
  expect(first).toMatch(/^whsec_/);
  await accessible(page, 'the secret of a webhook');
  await made.getByRole('button', { name: 'Done' }).click();
  await row('n8n').getByText('2 events · DEMO').waitFor();
  expect(await page.content()).not.toContain(first);
});

it('a test arrives, signed, and stands in its log', async () => {
  const { page } = ada;
  await row('n8n').getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test arrived: n8n answered 200.').waitFor();
  const ping = received.at(-1);
  expect(ping && signedBy(first, ping)).toBe(true);
  await row('n8n').getByRole('link', { name: 'n8n' }).click();
  const log = page.getByRole('list', { name: 'Deliveries of n8n' });
  await log.getByText('Answered 200').waitFor();
  // The address names the log: a reload shows it again.
  await page.reload();
  await log.getByText('Answered 200').waitFor();
});

it('what happens is sent, what fails waits with its reason, and is sent again by hand', async () => {
  const { page } = ada;
  status = 500;
  const before = received.length;
  const { key } = await service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', {
    type: 'task',
    title: 'Greet in French',
  });
  await expect.poll(() => received.length, { timeout: PATIENCE }).toBeGreaterThan(before);
  await page.reload();
  const log = page.getByRole('list', { name: 'Deliveries of n8n' });
  const delivery = log.getByRole('listitem').filter({ hasText: key });
  await delivery.getByText(/Answered 500/).waitFor();
  await delivery.getByText('Waiting').waitFor();
  await accessible(page, 'deliveries');
  await picture(page, 'webhook-deliveries');
  status = 200;
  await delivery.getByRole('button', { name: 'Send again' }).click();
  await delivery.getByText('Sent', { exact: true }).waitFor();
  // Five seconds after the first it tries by itself: on a slow machine that is another attempt.
  await delivery.getByRole('button', { name: /^\d+ attempts$/ }).click();
  await delivery.getByText('Answered 500').first().waitFor();
  const ids = received.slice(before).map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
});

it('what it cannot send, and why, stands with the delivery and with the webhook', async () => {
  const { page } = ada;
  status = 500;
  const before = received.length;
  const { key } = await service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', {
    type: 'task',
    title: 'Greet in Latin',
  });
  await expect.poll(() => received.length, { timeout: PATIENCE }).toBeGreaterThan(before);
  status = 200;
  await service.api('DELETE', `/orgs/demo/items/${key}`);
  await page.reload();
  const log = page.getByRole('list', { name: 'Deliveries of n8n' });
  const delivery = log.getByRole('listitem').filter({ hasText: key });
  await delivery.getByRole('button', { name: 'Send again' }).click();
  await delivery.getByText('Skipped', { exact: true }).waitFor();
  await delivery.getByText(/gone/).waitFor();
  await picture(page, 'webhook-skipped');
  // A key is lost with a restore only: the answer says so here.
  const problem = 'It sends nothing, because its secret cannot be read. Rotate the secret.';
  await page.route('**/api/v1/orgs/demo/webhooks', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: [{ ...(await answer.json())[0], problem }] });
  });
  await page.reload();
  await row('n8n').getByText('Sends nothing', { exact: true }).waitFor();
  await row('n8n').getByText(problem).waitFor();
  await accessible(page, 'a webhook that cannot sign');
  await picture(page, 'webhook-problem');
  await page.unroute('**/api/v1/orgs/demo/webhooks');
  // What arrives ends the failing.
  const body = { type: 'task', title: 'Greet in Greek' };
  await service.api('POST', '/orgs/demo/projects/DEMO/items', body);
  const failing = async () => {
    const [webhook] = await service.api<{ failingSince?: string }[]>('GET', '/orgs/demo/webhooks');
    return webhook?.failingSince;
  };
  await expect.poll(failing, { timeout: PATIENCE }).toBe(undefined);
  await page.reload();
});

it('a new secret signs beside the old one', async () => {
  const { page } = ada;
  await choose('n8n', 'New secret');
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'New secret for n8n' });
  const secret = dialog.getByRole('group', { name: 'Secret' }).locator('code');
  const second = (await secret.textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await row('n8n')
    .getByText(/The secret before signs as well until/)
    .waitFor();
  await row('n8n').getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test arrived').last().waitFor();
  const ping = received.at(-1);
  expect(ping && signedBy(first, ping) && signedBy(second, ping)).toBe(true);
});

it('one that is gone is disabled, said so, enabled, changed and deleted', async () => {
  const { page } = ada;
  status = 410;
  await service.api('POST', '/orgs/demo/projects/DEMO/items', { type: 'task', title: 'Greet in Dutch' });
  const disabled = async () =>
    (await service.api<{ disabled: boolean }[]>('GET', '/orgs/demo/webhooks'))[0]?.disabled;
  await expect.poll(disabled, { timeout: PATIENCE }).toBe(true);
  await page.reload();
  await row('n8n').getByText('Its address answered 410 Gone.').waitFor();
  await accessible(page, 'a disabled webhook');
  await picture(page, 'webhook-disabled');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await accessible(page, 'a disabled webhook on a phone');
  await picture(page, 'webhook-disabled-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  // Administrators are told in their inbox, which leads here.
  await page.goto('/inbox');
  await ada.settled();
  await picture(page, 'webhook-inbox');
  await page.getByText(/deliveries failed/).waitFor();
  await page.getByRole('link', { name: 'n8n' }).click();
  await page.waitForURL('**/o/demo/settings/webhooks');
  status = 200;
  await choose('n8n', 'Enable');
  await expect.poll(disabled).toBe(false);
  await choose('n8n', 'Edit');
  const dialog = page.getByRole('dialog', { name: 'Edit n8n' });
  await dialog.getByLabel('Everything').check();
  await dialog.getByLabel('Greeter').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row('n8n').getByText('10 events · all projects').waitFor();
  await choose('n8n', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhook yet.').waitFor();
  expect(ada.complaints).toEqual([]);
});
