/** On paper: what people wrote, in light colours, whole, with nothing over it. */
import { expect, it } from 'vitest';
import { arriving, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/items/DEMO-1', (ada) =>
  ada.page.getByText('As a visitor I want').waitFor(),
);

const LINE = 'one long line of code that is wider than any sheet of paper '.repeat(6);
const BODY = `# On paper\n\nSome text.\n\n\`\`\`\n${LINE}\n\`\`\`\n\n${'A paragraph.\n\n'.repeat(80)}The last line.`;

interface Printed {
  scheme: string;
  background: string;
  text: string;
  /** What is drawn and does nothing on paper. */
  controls: string[];
  /** What would be on every sheet, or over the text. */
  over: string[];
  /** What hides a part of what it holds. */
  cut: string[];
}

/** Runs in the page as it is printed. */
function look(): Printed {
  const shown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return (
      width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    );
  };
  const named = (element: Element) =>
    `${element.tagName} ${element.className} ${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 30)}`;
  const all = [...document.querySelectorAll('body *')].filter(shown);
  const CONTROLS =
    'nav:not(main nav), [role=tablist], [role=tree], input:not([type=checkbox]), textarea, a[href="#content"]';
  const iconAlone = (element: Element) => element.matches('button') && !element.textContent?.trim();
  const clips = (element: Element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return (
      (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
      (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1)
    );
  };
  return {
    scheme: getComputedStyle(document.documentElement).colorScheme,
    background: getComputedStyle(document.querySelector('main') ?? document.body).backgroundColor,
    text: getComputedStyle(document.body).color,
    controls: all.filter((element) => element.matches(CONTROLS) || iconAlone(element)).map(named),
    over: all.filter((element) => /fixed|sticky/.test(getComputedStyle(element).position)).map(named),
    cut: all.filter(clips).map(named),
  };
}

it('an item and a page of the wiki are whole, light, and without controls', async () => {
  const { page } = at.ada;
  await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Paper', { body: BODY });
  const made = { type: 'task', title: 'On paper', body: BODY };
  const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', made);
  await at.service.api('POST', `/orgs/demo/items/${key}/comments`, { body: 'A comment on it.' });
  await page.evaluate(() => localStorage.setItem('svc.theme', 'dark'));
  // An A4 sheet without its margins.
  await page.setViewportSize({ width: 718, height: 1000 });
  for (const path of ['wiki/Paper', `items/${key}`]) {
    await page.goto(`/o/demo/p/DEMO/${path}`);
    await page.getByText('The last line.').waitFor();
    await page.emulateMedia({ media: 'print' });
    await picture(page, `print-${path.split('/')[0]}`);
    const { text, ...printed } = await page.evaluate(look);
    expect(printed, path).toEqual({
      scheme: 'light',
      background: 'rgba(0, 0, 0, 0)',
      controls: [],
      over: [],
      cut: [],
    });
    expect(Number(/oklch\(([\d.]+)/.exec(text)?.[1]), path).toBeLessThan(0.3);
    // The whole text is in the document itself, not in a part of it that scrolls.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height, path).toBeGreaterThan(2_000);
    await page.emulateMedia({ media: null });
  }
});

it('the text has the width of the sheet, whatever the window had', async () => {
  const { page } = at.ada;
  await page.emulateMedia({ media: 'print' });
  const text = await page.getByRole('article').first().boundingBox();
  const aside = await page.getByText('Created by Demo Owner').boundingBox();
  expect(text?.width).toBeGreaterThan(1_000);
  expect(aside?.y).toBeGreaterThan((text?.y ?? 0) + (text?.height ?? 0));
});
