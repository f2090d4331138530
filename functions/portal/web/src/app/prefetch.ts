/**
 * Reads an item ahead when a link to it has the pointer or the focus for a moment, so that it opens at once. Thirty
 * people may share one address and its budget: at most two at a time and twelve a minute, and half of that after the
 * service has asked to wait.
 */
import { isProblem } from '@/api/problem';
import { itemQuery } from '@/data/items';
import { queries } from '@/store/queries';

const MOMENT = 65;
const AT_ONCE = 2;
const MINUTE = 60_000;
/** As long as an answer counts as fresh. */
const FRESH = 30_000;

/** Watches the page's links until the answered function is called. */
export function readAhead(perMinute = 12): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let allowed = perMinute;
  let running = 0;
  let times: number[] = [];
  const fetchAhead = async ({ slug, key }: Target) => {
    const query = itemQuery(slug, key);
    const now = Date.now();
    times = times.filter((time) => time > now - MINUTE);
    const held = queries.getQueryState(query.queryKey)?.dataUpdatedAt ?? 0;
    if (running >= AT_ONCE || times.length >= allowed || held > now - FRESH) return;
    times.push(now);
    running++;
    await queries.fetchQuery(query).catch((error: unknown) => {
      if (isProblem(error, 'rate-limited')) allowed = Math.floor(allowed / 2);
    });
    running--;
  };
  const consider = ({ target }: Event) => {
    clearTimeout(timer);
    const link = target instanceof Element ? target.closest('a') : null;
    const item = link && itemOf(link.pathname);
    if (item) timer = setTimeout(() => void fetchAhead(item), MOMENT);
  };
  document.addEventListener('pointerover', consider, { passive: true });
  document.addEventListener('focusin', consider);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('pointerover', consider);
    document.removeEventListener('focusin', consider);
  };
}

interface Target {
  slug: string;
  key: string;
}

/** The item that an address leads to. */
function itemOf(path: string): Target | undefined {
  const [, slug, key] = /^\/o\/([^/]+)\/p\/[^/]+\/items\/([A-Z0-9]+-\d+)$/.exec(path) ?? [];
  return slug && key ? { slug, key } : undefined;
}
