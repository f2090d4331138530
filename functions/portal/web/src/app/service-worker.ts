/**
 * The app's files, kept by a service worker so that it opens at once and without a connection. A newer version waits
 * until it is asked for: nobody's page is loaded anew under their hands.
 */
import { workerAddress } from '@/lib/trusted';
import { toast } from '@/ui/toasts';
import { t } from './strings';

/** How often a page that stays open asks for a newer version, in milliseconds. */
const ASK_AGAIN = 60 * 60_000;

/** Begins once the page has what it wants itself. */
export async function keepShell(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register(workerAddress('/sw.js'));
    watch(registration);
    setInterval(() => void registration.update().catch(() => {}), ASK_AGAIN);
  } catch {
    // Without it the app needs its connection to open, and nothing else.
  }
}

function watch(registration: ServiceWorkerRegistration): void {
  if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => {
      if (next.state === 'installed' && navigator.serviceWorker.controller) offer(next);
    });
  });
}

/** Says that there is a newer version. Whoever takes it has their page loaded anew with it; drafts are kept. */
function offer(next: ServiceWorker): void {
  const take = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    next.postMessage('take-over');
  };
  toast(t('newVersion'), { action: { label: t('loadNew'), run: take }, stays: true });
}
