/** Journeys 3 and 15: who joins from an invitation sees what they may, and nothing of the rest. */
import { describe, expect, it } from 'vitest';
import { accessible, Person, picture, serving } from '../harness';
import { join } from '../joining';

const at = serving();

describe('joining', () => {
  it('says of what becomes of a bad link', async () => {
    const person = await Person.arrive(at.service);
    await person.page.goto('/join');
    await person.page.getByRole('heading', { name: 'This link is not complete' }).waitFor();
    await person.page.goto('about:blank');
    await person.page.goto('/join#svi_nothing');
    await person.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await person.leave();
  });

  it('gives a stakeholder a board, and no trace of the factory', async () => {
    const person = await join(at, 'stan@example.com', 'stakeholder');
    const { page } = person;
    await picture(page, 'joined');
    await page
      .getByRole('main')
      .getByRole('link', { name: /Greeter/ })
      .click();
    await person.card('DEMO-1').waitFor();
    expect(await page.getByRole('link', { name: 'Factory' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create item', exact: true }).waitFor();
    for (const path of ['/o/demo/factory', '/o/demo/factory/runs']) {
      await page.goto(path);
      await page.getByText('This does not exist, or you may not see it.').waitFor();
    }
    await page.goto('/o/demo/p/DEMO/items/DEMO-1');
    await page.getByText('As a visitor I want').waitFor();
    expect(await page.getByRole('button', { name: 'Start', exact: true }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('> factory');
    expect(await page.getByRole('option', { name: 'Factory' }).count()).toBe(0);
    await person.leave();
  });

  it('lets a member read templates and labels, and change none', async () => {
    const template = { name: 'Crash', type: 'bug', priority: 'high', labels: ['triage'], body: '## Steps' };
    await at.service.api('POST', '/orgs/demo/projects/DEMO/templates', template);
    const person = await join(at, 'mem@example.com', 'stakeholder');
    const { page } = person;
    await page.goto('/o/demo/p/DEMO/settings/templates');
    await page.getByRole('list', { name: 'Templates' }).getByText('Crash').waitFor();
    await page.getByText('A project Admin can change these.').waitFor();
    expect(await page.getByRole('button', { name: 'New template' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Actions for Crash' }).count()).toBe(0);
    await accessible(page, 'templates of a member');
    await person.leave();
  });

  it('lets a guest comment, and change nothing', async () => {
    const person = await join(at, 'gina@example.com', 'guest');
    const { page } = person;
    await page.goto('/o/demo/p/DEMO/board');
    await person.card('DEMO-1').waitFor();
    expect(await page.getByRole('button', { name: 'Create item', exact: true }).count()).toBe(0);
    await page.goto('/o/demo/p/DEMO/items/DEMO-1');
    await page.getByText('As a visitor I want').waitFor();
    expect(await page.getByRole('button', { name: /Edit/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Write a comment…' }).waitFor();
    await person.leave();
  });
});

describe('frugality', () => {
  it('asks no more than a dozen times, no other host, and keeps one stream for many tabs', async () => {
    const person = await Person.arrive(at.service);
    const { page, context } = person;
    await person.signIn(at.service.demo?.email ?? '', at.service.demo?.password ?? '');
    // What the page that one lands on asks for is not the board's.
    await person.warm();
    await page.goto('about:blank');
    const asked: string[] = [];
    const hosts = new Set<string>();
    context.on('request', (request) => {
      const url = new URL(request.url());
      hosts.add(url.host);
      if (url.pathname.startsWith('/api/')) asked.push(url.pathname);
    });
    await page.goto('/o/demo/p/DEMO/board');
    await person.card('DEMO-1').waitFor();
    // What is fetched ahead while the page is quiet counts too.
    await person.warm();
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(12);
    expect([...hosts]).toEqual([new URL(at.service.url).host]);
    for (let tab = 0; tab < 5; tab++) {
      const other = await context.newPage();
      await other.goto('/o/demo/p/DEMO/board');
      await other.locator('a[data-card="DEMO-1"]').waitFor();
    }
    await person.leave();
  });

  it('loads each file of a cold board once', async () => {
    const person = await Person.arrive(at.service);
    const files: string[] = [];
    person.context.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/assets/')) files.push(pathname);
    });
    await person.enter(at.service.demo?.email ?? '', at.service.demo?.password ?? '', '/o/demo/p/DEMO/board');
    await person.card('DEMO-1').waitFor();
    expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
    expect(files.filter((file) => /\/board-.*\.css$/.test(file))).toHaveLength(1);
    await person.leave();
  });
});

describe('an archived project', () => {
  it('is read, with the reason on what is disabled', async () => {
    await at.service.api('POST', '/orgs/demo/items/DEMO-1/comments', { body: 'Written before' });
    const project = await at.service.api<{ version: number }>('GET', '/orgs/demo/projects/DEMO');
    const archived = await at.service.api<{ version: number }>('PATCH', '/orgs/demo/projects/DEMO', {
      version: project.version,
      archived: true,
    });
    const person = await Person.arrive(at.service);
    await person.signIn(
      at.service.demo?.email ?? '',
      at.service.demo?.password ?? '',
      '/o/demo/p/DEMO/board',
    );
    await person.page.getByText('This project is archived and read-only').waitFor();
    const create = person.page.getByRole('button', { name: 'Create item', exact: true }).first();
    expect(await create.getAttribute('aria-disabled')).toBe('true');
    await accessible(person.page, 'archived board');
    await picture(person.page, 'board-archived');
    // Nobody reacts to comments there either: the service says so of each.
    await person.page.goto('/o/demo/p/DEMO/items/DEMO-1');
    const comment = person.page.getByRole('article').filter({ hasText: 'Written before' });
    await comment.getByRole('button', { name: 'More', exact: true }).waitFor();
    expect(await comment.getByRole('button', { name: 'React' }).count()).toBe(0);
    await person.leave();
    await at.service.api('PATCH', '/orgs/demo/projects/DEMO', { version: archived.version, archived: false });
  });
});
