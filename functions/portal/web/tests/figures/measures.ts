/** Measures what a person would notice of a page, by the page's own clock. */
import type { Person } from '../harness';

/** What the page asked the service for so far, and how long the board took of it. */
export function asked({ page }: Person): Promise<{ requests: number; waited: number; size: number }> {
  return page.evaluate(() => {
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const api = all.filter(({ name }) => name.includes('/api/'));
    const board = api.find(({ name }) => name.endsWith('/board'));
    const waited = (board?.responseStart ?? 0) - (board?.requestStart ?? 0);
    return { requests: api.length, waited, size: (board?.encodedBodySize ?? 0) / 1000 };
  });
}

/** Milliseconds from the key that moves a card until the frame with the moved card is drawn. */
export function painted({ page }: Person): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const begun = performance.now();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - begun);
        const key = { key: 'ArrowRight', shiftKey: true, bubbles: true, cancelable: true };
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
        // The next task after a frame's callbacks comes when the frame is drawn.
        requestAnimationFrame(() => port2.postMessage(undefined));
      }),
  );
}

/** Begins to count how long the page's main thread works, which a busy machine changes little. Answers milliseconds. */
export async function processorTime({ context, page }: Person): Promise<() => Promise<number>> {
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const begun = await read();
  return async () => (await read()) - begun;
}

/** Milliseconds from a press on a card until its description is drawn. */
export function opened({ page }: Person, card: number): Promise<number> {
  return page.evaluate(
    (at) =>
      new Promise<number>((resolve) => {
        const cards = document.querySelectorAll<HTMLElement>('[data-column="Backlog"] a[data-card]');
        const begun = performance.now();
        const look = () => {
          if (location.pathname.includes('/items/') && document.querySelector('main h1'))
            requestAnimationFrame(() => resolve(performance.now() - begun));
          else requestAnimationFrame(look);
        };
        cards[at]?.click();
        look();
      }),
    card,
  );
}

/** How much the page moved under the reader, after the measure of the same name. */
export function shifted({ page }: Person): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 500);
      }),
  );
}

/** So many seconds the log is scrolled. */
export const SCROLLED = 3;

/** Frames while the log is scrolled, up and down in steps of a wheel. */
export function scrolled({ page }: Person): Promise<number> {
  return page.evaluate(
    (seconds) =>
      new Promise<number>((resolve) => {
        const row = document.querySelector('[data-index]');
        let box = row?.parentElement ?? null;
        while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
        const begun = performance.now();
        let frames = 0;
        const step = () => {
          frames++;
          box?.scrollBy(0, frames % 120 < 60 ? -240 : 180);
          const passed = performance.now() - begun;
          if (passed < seconds * 1000) requestAnimationFrame(step);
          else resolve(frames);
        };
        requestAnimationFrame(step);
      }),
    SCROLLED,
  );
}

/** Runs in the page: bytes of its heap. */
export function heapUsed(): number {
  return (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0;
}

/** Between two presses, as somebody types who is quick. */
const PACE = 100;

/**
 * Milliseconds from each press until the next frame is drawn, as the browser counts them for people's presses. It tells
 * of none that took less than 16 ms.
 */
export async function pressed({ page }: Person, keys: readonly string[]): Promise<number[]> {
  await page.evaluate(() => {
    const taken: number[] = [];
    Object.assign(globalThis, { svcPresses: taken });
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') taken.push(entry.duration);
    });
    observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(PACE);
  }
  await page.waitForTimeout(300);
  const slow = await page.evaluate(() => (globalThis as unknown as { svcPresses: number[] }).svcPresses);
  return [...slow, ...Array(Math.max(0, keys.length - slow.length)).fill(16)];
}

/** How often a browser asked the service until it showed a card. */
export function askedBefore({ page }: Person): Promise<number> {
  return page.evaluate(() => {
    const shown = (globalThis as unknown as { svcCard: number }).svcCard;
    const all = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < shown);
    return all.filter(({ name }) => name.includes('/api/')).length;
  });
}
