/** Notifications of browsers: turned on by hand, shown by the service worker, off with the session. */
import type { CDPSession, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessible, Person, picture, theBrowser } from '../harness';
import { PATIENCE } from '../patience';
import { PushService } from '../push-service';
import { Service } from '../service';

let pushes: PushService;
let service: Service;
let ada: Person;
let worker: Worker;
let cdp: CDPSession;
let registrationId: string;

/**
 * What a browser without a window and without a push service lacks: it says that notifications are denied although they
 * were granted, and has no subscription. It gets the one of the test's.
 */
function subscribing({ endpoint, p256dh, auth }: PushService['subscription']): void {
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  let current: object | null = null;
  const made = (applicationServerKey: Uint8Array) => ({
    options: { applicationServerKey: applicationServerKey.buffer },
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh, auth } }),
    unsubscribe: async () => {
      current = null;
      return true;
    },
  });
  Object.assign(PushManager.prototype, {
    subscribe: async (options: { applicationServerKey: Uint8Array }) => {
      current = made(options.applicationServerKey);
      return current;
    },
    getSubscription: async () => current,
  });
}

beforeAll(async () => {
  pushes = await PushService.start();
  service = await Service.start({ demo: true, settings: { Outbound__PrivateNetworks: '127.0.0.1' } });
  ada = await Person.arrive(service, undefined, { keeps: true });
  await ada.context.grantPermissions(['notifications'], { origin: service.url });
  await ada.page.addInitScript(subscribing, pushes.subscription);
  await ada.enter(service.demo?.email ?? '', service.demo?.password ?? '', '/settings/notifications');
}, PATIENCE);

afterAll(async () => {
  await ada?.leave();
  await service?.stop();
  pushes?.stop();
});

const subscriptions = async () => {
  const found = await service.api<{ subscriptions: { current: boolean }[] }>('GET', '/me/push-subscriptions');
  return found.subscriptions.length;
};

/** Hands a message to the service worker, as a browser does that got it from its push service. */
async function deliver(data: string): Promise<void> {
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: service.url, registrationId, data });
}

it('a push service that does not answer is said, and the browser is off again', async () => {
  const { page } = ada;
  await page.evaluate(() => {
    const { subscribe } = PushManager.prototype;
    PushManager.prototype.subscribe = () => {
      PushManager.prototype.subscribe = subscribe;
      return new Promise(() => {});
    };
  });
  const section = page.getByRole('region', { name: 'Browsers' });
  await section.getByRole('button', { name: 'Turn on in this browser' }).click();
  await section
    .getByRole('alert')
    .getByText(/the push service of this browser did not answer/)
    .waitFor();
  expect(await section.getByRole('button', { name: 'Turn on in this browser' }).isEnabled()).toBe(true);
  await accessible(page, 'a silent push service');
});

it('a browser is turned on by hand, named, and has a column of its own', async () => {
  const { page } = ada;
  const section = page.getByRole('region', { name: 'Browsers' });
  await section.getByText('No browser tells you yet.').waitFor();
  await section.getByRole('button', { name: 'Turn on in this browser' }).click();
  await page.getByText('This browser tells you from now on.').waitFor();
  await section.getByText('This browser', { exact: true }).waitFor();
  expect(await subscriptions()).toBe(1);
  expect(await page.content()).not.toContain('abcdef');
  await page.getByLabel('Somebody mentions you, Browser').selectOption('At once');
  await accessible(page, 'browsers');
  await section.scrollIntoViewIfNeeded();
  await picture(page, 'push-browsers');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await section.scrollIntoViewIfNeeded();
  await accessible(page, 'browsers on a phone');
  await picture(page, 'push-browsers-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
});

/** What a service worker has that a page has not, and what the test puts there. */
interface Scope {
  registration: ServiceWorkerRegistration;
  clients: { openWindow: (href: string) => Promise<null> };
  ExtendableEvent: typeof Event;
  dispatchEvent: (event: Event) => boolean;
  /** What was shown and not pressed yet. */
  shown: { title: string; options: NotificationOptions }[];
  opened: string[];
}

/** Runs in the worker: a browser without a window shows nothing and opens nothing, so that both are noted instead. */
function noting(): void {
  const scope = globalThis as unknown as Scope;
  scope.shown = [];
  scope.opened = [];
  scope.registration.showNotification = async (title, options = {}) => {
    scope.shown.push({ title, options });
  };
  scope.clients.openWindow = async (href) => {
    scope.opened.push(href);
    return null;
  };
}

/** The worker, what it was told to show, and a press of all of that. */
async function watchWorker(): Promise<void> {
  const { page, context } = ada;
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await worker.evaluate(noting);
  cdp = await context.newCDPSession(page);
  const first = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations;
      if (one) resolve(one.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  registrationId = await first;
}

const shown = () =>
  worker.evaluate(() =>
    (globalThis as unknown as Scope).shown.map(({ title, options }) => [title, options.body ?? '']),
  );

/** Presses everything that is shown; answers what that opens. */
async function pressAll(): Promise<string[]> {
  const presses = await worker.evaluate(() => {
    const scope = globalThis as unknown as Scope;
    const all = scope.shown.splice(0);
    for (const { options } of all) {
      const press = new scope.ExtendableEvent('notificationclick');
      Object.defineProperty(press, 'notification', { value: { close: () => {}, data: options.data } });
      scope.dispatchEvent(press);
    }
    return all.length;
  });
  const opened = () => worker.evaluate(() => (globalThis as unknown as Scope).opened);
  await expect.poll(async () => (await opened()).length).toBe(presses);
  return worker.evaluate(() => (globalThis as unknown as Scope).opened.splice(0));
}

it('a test is encrypted for the browser alone, shown, and opens what it is about', async () => {
  const { page } = ada;
  await page.getByRole('region', { name: 'Browsers' }).getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/A test message was sent to/).waitFor();
  const pushed = pushes.pushed.at(-1);
  expect(pushed?.headers).toMatchObject({ urgency: 'high', ttl: '300' });
  const message = JSON.parse(pushed?.text ?? '{}') as {
    web_push: number;
    notification: { navigate: string };
  };
  expect(message).toMatchObject({ web_push: 8030, notification: { title: 'It works' } });
  // The link of the message leads to where the instance says that it is: here to the page of the test.
  message.notification.navigate = `${service.url}/inbox`;
  await watchWorker();
  await deliver(JSON.stringify(message));
  const body = 'This browser is told of what concerns you. You asked for this test.';
  await expect.poll(shown).toEqual([['It works', body]]);
  expect(await pressAll()).toEqual([`${service.url}/inbox`]);
});

it('a message that is none is shown all the same, and leads nowhere else', async () => {
  await deliver('hello');
  await deliver('{"web_push":8030,"notification":{"title":"x","navigate":"https://evil.example/"}}');
  await expect.poll(shown).toEqual([
    ['Something is new', ''],
    ['x', ''],
  ]);
  expect(await pressAll()).toEqual([`${service.url}/inbox`, `${service.url}/inbox`]);
});

it('one that is gone is forgotten, and signing out ends it', async () => {
  const { page } = ada;
  const section = page.getByRole('region', { name: 'Browsers' });
  pushes.status = 410;
  await section.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText(/The test did not arrive/).waitFor();
  await section.getByText('No browser tells you yet.').waitFor();
  pushes.status = 201;
  await section.getByRole('button', { name: 'Turn on in this browser' }).click();
  await section.getByText('This browser', { exact: true }).waitFor();
  expect(await subscriptions()).toBe(1);
  await page.goto('/settings/sessions');
  await page
    .getByRole('button', { name: /Account|Demo Owner/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in**');
  expect(await subscriptions()).toBe(0);
  expect(ada.complaints.filter((one) => !/422|410/.test(one))).toEqual([]);
});

it('a browser that says no is told why', async () => {
  const context = await (await theBrowser()).newContext({ baseURL: service.url, permissions: [] });
  const page = await context.newPage();
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  const headers = { 'x-svc-request': '1' };
  const data = { email: service.demo?.email, password: service.demo?.password };
  await context.request.post('/api/v1/auth/login', { headers, data });
  await page.goto('/settings/notifications');
  await page.getByText(/Notifications are blocked for this page/).waitFor();
  await accessible(page, 'a browser that says no');
  await context.close();
});
