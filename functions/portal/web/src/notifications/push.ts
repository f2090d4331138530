/**
 * Notifications of this browser: turned on by the person, who is then asked once; kept on while they are signed in; off
 * with the session.
 */
import {
  createSubscription,
  type PushSubscriptions,
  pushQuery,
  removeSubscription,
  type ToldBrowser,
} from '@/data/push';
import { browserOf } from '@/lib/browser';
import { readLocal, writeLocal } from '@/lib/local';
import { workerAddress } from '@/lib/trusted';
import { queries } from '@/store/queries';

/** Whether this browser can be told, and if not, why. */
export type Ability = 'able' | 'unsupported' | 'install' | 'denied';

/** How often it is looked whether the service still knows this browser, in milliseconds. */
const LOOK_AGAIN = 24 * 3_600_000;

/** How long a browser may take to be turned on once the person agreed, in milliseconds. */
export const LONGEST = 10_000;

export function abilityOf(browser: typeof globalThis = globalThis): Ability {
  const { navigator } = browser;
  if (!('serviceWorker' in navigator) || !('PushManager' in browser) || !('Notification' in browser))
    // Phones of one maker can, once the page is on their home screen.
    return /iPhone|iPad/.test(navigator.userAgent) ? 'install' : 'unsupported';
  return browser.Notification.permission === 'denied' ? 'denied' : 'able';
}

/**
 * Asks for permission where it was not asked yet, and has this browser be told; nothing where the person says no. Fails with
 * a `TimeoutError` where the push service does not answer.
 */
export async function turnOn(publicKey: string): Promise<ToldBrowser | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  return subscribe(publicKey);
}

/** Has a browser be told no more; where it is this one, its subscription ends as well. */
export async function turnOff({ id, current }: ToldBrowser): Promise<void> {
  await removeSubscription(id);
  if (current) await endSubscription();
}

/** Ends what this browser is subscribed to. */
export async function endSubscription(): Promise<void> {
  writeLocal('push', undefined);
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

/** Where this browser was turned on: sees once a day that it is still told. */
export async function keepOn(): Promise<void> {
  const seen = readLocal<number | undefined>('push', undefined);
  if (seen === undefined || Date.now() - seen < LOOK_AGAIN) return;
  if (abilityOf() !== 'able' || Notification.permission !== 'granted') return;
  const { publicKey, subscriptions } = await queries.fetchQuery({ ...pushQuery, staleTime: 0 });
  if (!publicKey) return;
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  const known = subscriptions.some(({ current }) => current);
  if (known && subscription && isOf(subscription, publicKey)) writeLocal('push', Date.now());
  else await subscribe(publicKey);
}

async function subscribe(publicKey: string): Promise<ToldBrowser> {
  const { endpoint = '', keys } = (await subscriptionOf(publicKey)).toJSON();
  const name = browserOf(navigator.userAgent);
  const told = await createSubscription({
    endpoint,
    keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    ...(name && { name }),
  });
  writeLocal('push', Date.now());
  queries.setQueryData(
    pushQuery.queryKey,
    (old: PushSubscriptions | undefined) =>
      old && { ...old, subscriptions: [...old.subscriptions.filter(({ id }) => id !== told.id), told] },
  );
  return told;
}

/** The last that was asked of the browser's push service. */
let asking: Promise<PushSubscription> | undefined;

/**
 * Subscribes at the browser's push service. What it answers too late is ended again, as the person was told that it is off,
 * unless they tried once more.
 */
async function subscriptionOf(publicKey: string): Promise<PushSubscription> {
  const asked = askForSubscription(publicKey);
  asking = asked;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      fail(new DOMException('The push service does not answer.', 'TimeoutError'));
      asked.then((subscription) => asking === asked && subscription.unsubscribe()).catch(() => {});
    }, LONGEST);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

async function askForSubscription(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(workerAddress('/sw.js'));
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // One of another person or of another key is not taken over.
  if (before && !(readLocal('push', undefined) && isOf(before, publicKey))) await before.unsubscribe();
  const applicationServerKey = bytesOf(publicKey);
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

function isOf({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey;
  return key !== null && textOf(new Uint8Array(key)) === publicKey;
}

/** Base64 for addresses, without padding. */
export function textOf(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
