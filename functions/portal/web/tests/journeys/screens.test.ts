/**
 * Every screen at three widths: nothing is wider than the window, and pictures are kept in both themes. Axe finds nothing at
 * one width and theme of each screen, in turn; with `SVC_TEST_ALL`, at all of them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL } from '../all';
import { type Dressed, dress } from '../dress';
import { accessible, Person, picture, serving } from '../harness';
import { Runner } from '../runner';

const at = serving();
const runner = new Runner();
let ada: Person;
let stranger: Person;
let made: Dressed;
beforeAll(async () => {
  runner.start(at.service, at.demo.runnerSecret, 'DEMO');
  made = await dress(at);
  ada = await Person.arrive(at.service);
  await ada.enter(at.demo.email, at.demo.password, '/o/demo');
  stranger = await Person.arrive(at.service);
});
afterAll(() => runner.stop());

const WIDTHS = [1440, 768, 375];
/** Where axe looks. Colours do not depend on the width. */
const LOOKS: readonly string[] = ['1440 light', '1440 dark', '768 light', '375 light', '375 dark'];
const P = '/o/demo/p/DEMO';

const SCREENS: [string, () => string][] = [
  ['home', () => '/o/demo'],
  ['activity', () => '/o/demo/activity'],
  ['search', () => '/o/demo/search?q=greet'],
  ['projects', () => '/o/demo/p'],
  ['items', () => '/o/demo/items'],
  ['items-board', () => '/o/demo/items?as=board'],
  ['roadmap', () => '/o/demo/roadmap'],
  ['overview', () => `${P}/overview`],
  ['insights', () => `${P}/insights`],
  ['board', () => `${P}/board`],
  ['board-lanes', () => `${P}/board?lanes=assignee`],
  ['list', () => `${P}/list`],
  ['list-filtered', () => `${P}/list?filter=priority:>=high&group=state`],
  ['deleted-items', () => `${P}/deleted-items`],
  ['item', () => `${P}/items/${made.item}`],
  ['item-reviewed', () => `${P}/items/DEMO-1`],
  ['item-new', () => `${P}/items/DEMO-2`],
  ['peek', () => `${P}/board?peek=${made.item}`],
  ['refine', () => `${P}/items/DEMO-2/refine`],
  ['sprints', () => `${P}/sprints`],
  ['sprint-plan', () => `${P}/sprints/${made.sprint}/plan`],
  ['sprint-taskboard', () => `${P}/sprints/${made.sprint}/taskboard`],
  ['sprint-burndown', () => `${P}/sprints/${made.sprint}/burndown`],
  ['milestones', () => `${P}/milestones`],
  ['milestone', () => `${P}/milestones/${made.milestone}`],
  ['wiki', () => `${P}/wiki`],
  ['wiki-page', () => `${P}/wiki/Handbook`],
  ['wiki-edit', () => `${P}/wiki/Handbook?edit=1`],
  ['wiki-versions', () => `${P}/wiki/Handbook?versions=1`],
  ['wiki-difference', () => `${P}/wiki/Handbook?diff=1..2`],
  ['wiki-bin', () => `${P}/wiki?bin=1`],
  ['factory', () => '/o/demo/factory'],
  ['runs', () => '/o/demo/factory/runs'],
  ['run-live', () => `/o/demo/factory/runs/${made.live}`],
  ['run-failed', () => `/o/demo/factory/runs/${made.failed}`],
  ['run-log', () => `/o/demo/factory/runs/${made.run}`],
  ['run-changes', () => `/o/demo/factory/runs/${made.run}?tab=changes`],
  ['run-prompt', () => `/o/demo/factory/runs/${made.run}?tab=prompt`],
  ['run-outcome', () => `/o/demo/factory/runs/${made.run}?tab=outcome`],
  ['agents', () => '/o/demo/factory/agents'],
  ['runners', () => '/o/demo/factory/runners'],
  ['playbooks', () => '/o/demo/factory/playbooks'],
  ['playbook', () => `/o/demo/factory/playbooks/${made.playbook}?project=DEMO`],
  ['rules', () => '/o/demo/factory/rules'],
  ['schedules', () => '/o/demo/factory/schedules'],
  ['budgets', () => '/o/demo/factory/budgets'],
  ['factory-insights', () => '/o/demo/factory/insights'],
  ...[
    'general',
    'members',
    'teams',
    'workflow',
    'labels',
    'templates',
    'import',
    'refinement',
    'factory',
  ].map((id): [string, () => string] => [`project-${id}`, () => `${P}/settings/${id}`]),
  ...[
    ...['general', 'members', 'invitations', 'channels', 'defaults', 'webhooks', 'code-hosting', 'audit'],
  ].map((id): [string, () => string] => [`organization-${id}`, () => `/o/demo/settings/${id}`]),
  ...['profile', 'organizations', 'notifications', 'tokens', 'sessions', 'appearance'].map(
    (id): [string, () => string] => [`account-${id}`, () => `/settings/${id}`],
  ),
  ['inbox', () => '/inbox'],
  ['new-organization', () => '/new-organization'],
  ['missing', () => `${P}/items/DEMO-99999`],
  ['missing-organization', () => '/o/nowhere'],
  ['found-nothing', () => '/o/demo/search?q=zzzzzz'],
  ...['overview', 'board', 'list', 'sprints', 'milestones', 'roadmap', 'insights', 'wiki'].map(
    (area): [string, () => string] => [`empty-${area}`, () => `/o/demo/p/NONE/${area}`],
  ),
];

/** Runs in the page: the headings that are seen more than once, the page's own among them. What people wrote is theirs. */
function headingsTwice(): string[] {
  const seen = [...document.querySelectorAll<HTMLElement>('main :is(h1, h2), [data-heading]')]
    .filter((heading) => heading.checkVisibility() && !heading.closest('.visually-hidden, [dir=auto]'))
    .map((heading) => heading.innerText.trim());
  return seen.filter((text, at) => seen.indexOf(text) < at);
}

/** Of people who are not signed in. */
const OUTSIDE = [
  '/sign-in',
  '/forgot-password',
  '/reset-password',
  '/confirm-address',
  '/join',
  '/code-host',
  '/setup',
].map((path): [string, () => string] => [path.slice(1), () => path]);

describe('a screen', () => {
  it.each([...SCREENS, ...OUTSIDE])('%s', async (name, path) => {
    const person = OUTSIDE.some(([one]) => one === name) ? stranger : ada;
    const { page } = person;
    const turn = [...SCREENS, ...OUTSIDE].findIndex(([one]) => one === name) % LOOKS.length;
    const judged = ALL ? LOOKS : LOOKS.slice(turn, turn + 1);
    person.complaints.length = 0;
    await page.setViewportSize({ width: WIDTHS[0] ?? 1440, height: 900 });
    await page.goto(path());
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await person.settled();
    expect(await page.evaluate(headingsTwice), `${name} says a heading twice`).toEqual([]);
    const heads = page.locator('main header:has(> h1)');
    const heights = await heads.evaluateAll((all) => all.map((head) => head.clientHeight));
    for (const height of heights) expect(height, `the head of ${name} is as high as others`).toBe(47);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 640 ? 844 : 900 });
      for (const colorScheme of ['light', 'dark'] as const) {
        const look = `${width} ${colorScheme}`;
        if (!judged.includes(look) && !process.env.SVC_SHOTS) continue;
        await page.emulateMedia({ colorScheme });
        if (judged.includes(look)) await accessible(page, `${name} ${look}`);
        await picture(page, `${name}-${width}-${colorScheme}`);
      }
      const beyond = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        const main = document.querySelector('main');
        return {
          across: Math.max(0, scrollWidth - innerWidth, (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0)),
          down: Math.max(0, scrollHeight - innerHeight),
        };
      });
      expect(beyond, `${name} at ${width} is larger than the window`).toEqual({ across: 0, down: 0 });
      const cut = () =>
        page.locator('figure svg text').evaluateAll((texts) => {
          const beside = (text: Element) => {
            const [box, all] = [text, text.closest('svg') ?? text].map((one) => one.getBoundingClientRect());
            return box && all && (box.left < all.left - 1 || box.right > all.right + 1);
          };
          return texts.filter(beside).map((text) => text.textContent);
        });
      await expect.poll(cut, { message: `${name} at ${width} cuts what a picture says` }).toEqual([]);
      // Of a row of tabs that is wider than the window, the current one is in sight.
      const unseen = () =>
        page.locator('nav [aria-current=page]:visible').evaluateAll((tabs) => {
          const right = (tab: Element) => Math.floor(tab.getBoundingClientRect().right);
          return tabs.filter((tab) => right(tab) > innerWidth).map((tab) => tab.textContent);
        });
      await expect.poll(unseen, { message: `${name} at ${width} hides where one is` }).toEqual([]);
    }
    expect(person.complaints).toEqual([]);
  });
});
