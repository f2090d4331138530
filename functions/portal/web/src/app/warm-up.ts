/**
 * Loads what the person will want next, once the page is quiet: popups, pickers, the item page, the editor. Nothing of
 * it is part of the first load, and all of it is there when the connection goes.
 */
import { whenIdle } from '@/lib/idle';
import { prepareEditor } from '@/ui/MarkdownEditor';
import { readAhead } from './prefetch';
import { keepShell } from './service-worker';

const WANTED = [
  () => import('@/ui/popups/MenuPopup'),
  () => import('@/ui/popups/DialogPopup'),
  () => import('@/ui/popups/PopoverPopup'),
  () => import('@/items/Pickers'),
  () => import('@/screens/item'),
  () => import('@/screens/item/PeekPanel'),
  () => import('@/screens/create'),
  () => import('@/screens/palette'),
  () => import('@/screens/list'),
  prepareEditor,
  () => import('@/ui/ConflictView'),
  () => import('@/lib/merge'),
  () => import('@/store/kinds/item-refused'),
  () => import('./store-reports'),
  () => import('./MoreSheet'),
  () => import('./SessionDialog'),
];

/**
 * Loads it all when the browser has nothing better to do, and from now on reads items ahead until the signal. The mark
 * `svc.warm` says that all is there.
 */
export async function warmUp(signal: AbortSignal): Promise<void> {
  signal.addEventListener('abort', readAhead());
  for (const part of WANTED) {
    // Each in a pause of its own: on a phone, all of them in one would hold up a press.
    await whenIdle();
    await part().catch(() => {});
  }
  performance.mark('svc.warm');
  await keepShell();
  await import('@/notifications/push').then(({ keepOn }) => keepOn()).catch(() => {});
}
