// The service worker: keeps the app's files, so that it opens at once and without a connection, and shows notifications.
// It never touches what programs answer: data is the store's, in the page.
//
// One version is kept whole. A newer one is fetched beside it and waits until every tab of the older is closed, or
// until somebody asks for it: no page ever gets files of two versions.
const VERSION = '__VERSION__';
const FILES = new Set(['__FILES__']);
const CACHE = `svc.shell.${VERSION}`;
const PROGRAMS = /^\/(api|openapi|docs|mcp|\.well-known|register|healthz|livez|readyz|metrics)(\/|$)/;

self.addEventListener('install', (event) => event.waitUntil(fetchAll()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('message', (event) => {
  if (event.data === 'take-over') self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const file = fileOf(event.request);
  if (file) event.respondWith(kept(file, event.request));
});
self.addEventListener('push', (event) => event.waitUntil(tell(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.navigate));
});
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)));

async function fetchAll() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...FILES].map((file) => new Request(file, { cache: 'no-cache' })));
}

async function takeOver() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith('svc.shell.') && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** The file that answers a request; nothing for what is not the app's. */
function fileOf(request) {
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin || PROGRAMS.test(pathname))
    return undefined;
  if (FILES.has(pathname)) return pathname;
  // Every other address is one of the page's, whatever its name: wiki pages are called `Release 1.2` and `notes.md`.
  return request.mode === 'navigate' ? '/' : undefined;
}

async function kept(file, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(file)) ?? fetch(request);
}

/** Shows a declarative message, as browsers do by themselves that know of them. Every push has to be shown. */
async function tell(data) {
  const { title = 'Something is new', body, navigate, tag, lang, dir } = notificationOf(data);
  const known = { icon: '/icon-192.png', badge: '/badge-96.png', data: { navigate } };
  // A later one of the same thing takes its place, and is heard again.
  const same = tag ? { tag, renotify: true } : {};
  await self.registration.showNotification(title, { body, lang, dir, ...known, ...same });
}

function notificationOf(data) {
  try {
    const message = data.json();
    return (message.web_push === 8030 && message.notification) || {};
  } catch {
    return {};
  }
}

/** Opens what a notification leads to: in the tab that shows it already, or in a new one. */
async function open(navigate) {
  const { origin } = self.location;
  const wanted = navigate && URL.canParse(navigate) ? new URL(navigate) : undefined;
  const href = wanted?.origin === origin ? wanted.href : `${origin}/inbox`;
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url === href);
  await (tab ? tab.focus() : self.clients.openWindow(href));
}

/** The push service gives another address: the service is told of it, by the session that the browser has. */
async function subscribeAgain({ newSubscription, oldSubscription }) {
  const options = oldSubscription?.options;
  const next = newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
  if (!next) return;
  const { endpoint, keys } = next.toJSON();
  await fetch('/api/v1/me/push-subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-request': '1' },
    body: JSON.stringify({ endpoint, keys }),
  });
}
