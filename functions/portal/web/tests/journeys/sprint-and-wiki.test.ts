/** Journey 13: a sprint is planned, started and completed; a page is written, compared and restored. */
import { describe, expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/p/DEMO/sprints', (ada) =>
  ada.page.getByRole('heading', { name: 'Sprints', level: 1 }).waitFor(),
);

interface Item {
  key: string;
  sprint: string | null;
}

const sprintOf = async (key: string) => (await at.service.api<Item>('GET', `/orgs/demo/items/${key}`)).sprint;

describe('a sprint', () => {
  it('is planned, started, drawn and completed', async () => {
    const { page } = at.ada;
    await page.getByRole('button', { name: 'New sprint' }).first().click();
    await page.getByLabel('Name').fill('Sprint 1');
    await page.getByLabel('Capacity').fill('10');
    await page.getByRole('button', { name: 'Create sprint' }).click();
    await page.getByRole('link', { name: 'Sprint 1' }).click();

    await page.getByRole('button', { name: 'Add DEMO-1 to the sprint' }).click();
    await page.getByRole('button', { name: 'Take DEMO-1 out of the sprint' }).waitFor();
    await expect.poll(() => sprintOf('DEMO-1')).not.toBeNull();
    // By key too.
    await page.getByRole('link', { name: /The greeting is cut off/ }).focus();
    await page.keyboard.press('t');
    await page.getByRole('button', { name: 'Take DEMO-2 out of the sprint' }).waitFor();
    await expect.poll(() => sprintOf('DEMO-2')).not.toBeNull();
    await accessible(page, 'plan');
    await picture(page, 'sprint-plan');

    await page.getByRole('button', { name: 'Start sprint' }).click();
    await page.getByRole('button', { name: 'Complete sprint' }).waitFor();
    await page.getByRole('link', { name: 'Taskboard' }).click();
    await page.getByRole('columnheader', { name: 'In progress' }).waitFor();
    await accessible(page, 'taskboard');
    await page.getByRole('link', { name: 'Burndown' }).click();
    await page.getByRole('img', { name: /^Burndown: from/ }).waitFor();
    await page.getByRole('rowheader').first().waitFor();
    await accessible(page, 'burndown');

    await page.getByRole('button', { name: 'Complete sprint' }).click();
    await page.getByText('2 are not.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Complete sprint' }).click();
    await expect.poll(() => sprintOf('DEMO-1')).toBeNull();
    expect(at.ada.complaints).toEqual([]);
  });
});

describe('a page', () => {
  it('is written, compared with what it was, and restored', async () => {
    const { page } = at.ada;
    await page.goto('/o/demo/p/DEMO/wiki');
    await page.getByRole('button', { name: 'New page' }).first().click();
    await page.getByLabel('Name').fill('Guide');
    await page.getByRole('button', { name: 'Create page' }).click();
    const editor = page.getByRole('textbox', { name: 'Text of the page, Markdown' });
    await editor.click();
    await page.keyboard.type('Be kind.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Be kind.').waitFor();
    await accessible(page, 'page');

    await page.getByRole('button', { name: 'Edit' }).click();
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Be very kind.');
    await accessible(page, 'editor');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Be very kind.').waitFor();

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    await page.getByText('Version 2 compared with 3').waitFor();
    await page.getByRole('cell', { name: 'Be very kind.' }).waitFor();
    await accessible(page, 'versions');
    await picture(page, 'wiki-versions');
    await page.getByRole('button', { name: 'Restore' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Restored version 2').waitFor();
    await page.getByRole('button', { name: 'Read' }).click();
    await page.getByText('Be kind.').waitFor();
    expect(at.ada.complaints).toEqual([]);
  });

  it('keeps what was typed when the tab is gone, and merges what others wrote', async () => {
    const { page } = at.ada;
    const path = '/orgs/demo/projects/DEMO/wiki/pages/Shared';
    await at.service.api('PUT', path, { body: 'one\n\ntwo\n\nthree' });
    await page.goto('/o/demo/p/DEMO/wiki/Shared?edit=1');
    const editor = page.getByRole('textbox', { name: 'Text of the page, Markdown' });
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('ZERO ');
    await at.ada.drafted('ZERO one');
    await page.reload();
    await page.getByText('This is your unsaved draft.').waitFor();
    await at.service.api('PUT', path, { version: 1, body: 'one\n\ntwo\n\nTHREE' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const body = async () => (await at.service.api<{ body: string }>('GET', path)).body;
    await expect.poll(body).toBe('ZERO one\n\ntwo\n\nTHREE');
  });

  it('keeps what is typed while it is being saved, and closes no editor that was opened meanwhile', async () => {
    const { page } = at.ada;
    const path = (name: string) => `/orgs/demo/projects/DEMO/wiki/pages/${name}`;
    for (const name of ['Slow', 'Other']) await at.service.api('PUT', path(name), { body: name });
    const body = async () => (await at.service.api<{ body: string }>('GET', path('Slow'))).body;
    const held = { go: () => {} };
    await page.route(`**${path('Slow')}*`, async (route) => {
      if (route.request().method() === 'PUT') await new Promise<void>((go) => Object.assign(held, { go }));
      await route.continue();
    });
    const answer = () => held.go();
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await page.goto('/o/demo/p/DEMO/wiki/Slow?edit=1');
    const editor = page.getByRole('textbox', { name: 'Text of the page, Markdown' });
    await page.locator('[data-editor]').waitFor();
    await page.keyboard.type(' one');
    const asked = page.waitForRequest((request) => request.method() === 'PUT');
    await page.keyboard.press('Control+Enter');
    await asked;
    await page.keyboard.type(' two');
    answer();
    await page.getByText('The page is saved.').waitFor();
    expect(await editor.innerText()).toBe('Slow one two');
    expect(await body()).toBe('Slow one');
    const again = page.waitForRequest((request) => request.method() === 'PUT');
    await save.click();
    await again;
    await page.getByRole('treeitem', { name: 'Other' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect.poll(() => editor.innerText()).toBe('Other');
    answer();
    await expect.poll(body).toBe('Slow one two');
    await page.getByText('The page is saved.').last().waitFor();
    await page.keyboard.type(' still');
    await expect.poll(() => editor.innerText()).toBe('Other still');
    expect(at.ada.complaints).toEqual([]);
  });

  it('is shown from the section that a link names, as a description is', async () => {
    const { page } = at.ada;
    const filling = 'A line that takes place.\n\n'.repeat(60);
    const body = `# Part one\n\n${filling}## Part two\n\n${filling}## Часть три\n\n${filling}`;
    const made = { type: 'task', title: 'Of many parts', body };
    const { key } = await at.service.api<{ key: string }>('POST', '/orgs/demo/projects/DEMO/items', made);
    await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Long', { body });
    for (const path of ['wiki/Long', `items/${key}`]) {
      for (const name of ['Part two', 'Часть три']) {
        await page.goto(`/o/demo/p/DEMO/${path}`);
        const heading = page.getByRole('heading', { name, exact: true });
        const id = await heading.getAttribute('id');
        const told = () => heading.evaluate((element) => Math.round(element.getBoundingClientRect().top));
        expect(await told()).toBeGreaterThan(900);
        await page.goto('about:blank');
        await page.goto(`/o/demo/p/DEMO/${path}#${id}`);
        await expect.poll(told, { message: `${path} ${id}` }).toBeLessThan(300);
        expect(await told()).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('has a tree that arrows walk', async () => {
    const { page } = at.ada;
    await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Tree', { body: 'x' });
    await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Tree/Leaf', { body: 'x' });
    await page.goto('/o/demo/p/DEMO/wiki/Tree');
    await page.getByRole('treeitem', { name: 'Tree' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.getByRole('treeitem', { name: 'Leaf' }).count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/wiki/Tree/Leaf');
  });
});
