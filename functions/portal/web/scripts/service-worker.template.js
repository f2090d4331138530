// The service worker: keeps the app's files, so that it opens at once and without a connection. It never touches what
// programs answer: data is the store's, in the page.
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
