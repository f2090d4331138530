/** Playbooks: edited in the app, with a warning where nobody reviews; and what a project's runs begin with. */
import { expect, it } from 'vitest';
import { accessible, arriving, picture } from '../harness';

const at = arriving('/o/demo/factory/playbooks', (ada) =>
  ada.page.getByRole('heading', { name: 'Playbooks', level: 1 }).waitFor(),
);
const DEMO = '/orgs/demo/projects/DEMO';
const WARNING = 'What the agent commits goes to the default branch without a review.';

interface Playbook {
  id: string;
  name: string;
  timeLimitMinutes: number;
  successState: string | null;
  deliveryMode: string;
  instructions: string;
  projectDefault: boolean;
}

async function playbook(name: string): Promise<Playbook> {
  const all = await at.service.api<Playbook[]>('GET', `${DEMO}/playbooks`);
  const { id = '' } = all.find((one) => one.name === name) ?? {};
  return at.service.api('GET', `${DEMO}/playbooks/${id}`);
}

it('is edited: what agents are told, how long they may take, where items go', async () => {
  const { page } = at.ada;
  await page.getByRole('link', { name: 'Implement', exact: true }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Instructions', exact: true });
  await text.fill('Read everything twice.');
  await at.ada.drafted('Read everything twice.');
  await page.reload();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.poll(() => text.inputValue()).toBe('Read everything twice.');
  await page.getByText('Your draft is kept on this device.').waitFor();
  await page.getByRole('button', { name: 'Save instructions' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  await page.getByText('Read everything twice.').waitFor();
  await page.getByLabel('Time limit, minutes').fill('25');
  await page.getByLabel('On success, move to').selectOption('Resolved');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect
    .poll(() => playbook('Implement'))
    .toMatchObject({
      instructions: 'Read everything twice.',
      timeLimitMinutes: 25,
      successState: 'Resolved',
      deliveryMode: 'branchAndPullRequest',
    });
  await page.getByLabel('Time limit, minutes').fill('0');
  await page.getByRole('button', { name: 'Save settings' }).click();
  expect((await playbook('Implement')).timeLimitMinutes).toBe(25);
  expect(at.ada.complaints).toEqual([]);
});

it('keeps what others wrote in its instructions since a draft was begun, and asks where both wrote', async () => {
  const { page } = at.ada;
  const { id } = await playbook('Implement');
  const write = async (instructions: string) => {
    const { version } = (await playbook('Implement')) as Playbook & { version: number };
    await at.service.api('PATCH', `${DEMO}/playbooks/${id}`, { version, instructions });
  };
  const told = async () => (await playbook('Implement')).instructions;
  const text = page.getByRole('textbox', { name: 'Instructions', exact: true });
  const open = async () => {
    await page.goto(`/o/demo/factory/playbooks/${id}?project=DEMO`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
  };
  await write('First.\n\nSecond.');
  await open();
  await text.fill('First, mine.\n\nSecond.');
  await at.ada.drafted('First, mine.');
  await write('First.\n\nSecond, theirs.');
  await open();
  await expect.poll(() => text.inputValue()).toBe('First, mine.\n\nSecond.');
  await page.getByRole('button', { name: 'Save instructions' }).click();
  await expect.poll(told).toBe('First, mine.\n\nSecond, theirs.');

  await open();
  await text.fill('Mine.\n\nSecond, theirs.');
  await write('Theirs.\n\nSecond, theirs.');
  await page.getByRole('button', { name: 'Save instructions' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Theirs.').first().waitFor();
  expect(await told()).toBe('Theirs.\n\nSecond, theirs.');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(told).toBe('Theirs.\nMine.\n\nSecond, theirs.');
  expect(at.ada.complaints).toEqual([]);
});

it('keeps settings that are typed while its instructions are saved', async () => {
  const { page } = at.ada;
  await page.getByRole('link', { name: 'Implement', exact: true }).click();
  const limit = page.getByLabel('Time limit, minutes');
  await limit.fill('35');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Instructions', exact: true }).fill('Read everything once.');
  await page.getByRole('button', { name: 'Save instructions' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  expect(await limit.inputValue()).toBe('35');
  await page.getByRole('button', { name: 'Save settings' }).click();
  const saved = { instructions: 'Read everything once.', timeLimitMinutes: 35, successState: 'Resolved' };
  await expect.poll(() => playbook('Implement')).toMatchObject(saved);
  expect(at.ada.complaints).toEqual([]);
});

it('warns where nobody reviews, and so does the dialog that starts it', async () => {
  const { page } = at.ada;
  await page.getByRole('link', { name: 'Implement', exact: true }).click();
  expect(await page.getByText(WARNING).count()).toBe(0);
  await page.getByLabel('Delivery').selectOption('Push directly to the default branch');
  await page.getByText(WARNING).waitFor();
  await accessible(page, 'a playbook that pushes directly');
  await picture(page, 'playbook-direct');
  await page.getByRole('button', { name: 'Save settings' }).click();
  await expect.poll(async () => (await playbook('Implement')).deliveryMode).toBe('pushToDefaultBranch');
  await page.goto('/o/demo/p/DEMO/items/DEMO-2');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^Pushes directly to .* without a review\.$/).waitFor();
  await accessible(page, 'a start that pushes directly');
  await picture(page, 'start-direct');
});

it('keeps its page where playbooks have theirs', async () => {
  const { page } = at.ada;
  await page.goto('/o/demo/p/DEMO/wiki/Factory/Implement');
  await page.getByRole('button', { name: 'More actions' }).click();
  for (const name of [/^Move/, /^Delete/]) {
    const entry = page.getByRole('menuitem', { name });
    await entry.waitFor();
    expect(await entry.getAttribute('aria-disabled')).toBe('true');
    await entry.hover();
    await page
      .getByText('The page holds a playbook’s instructions and cannot leave the Factory section.')
      .first()
      .waitFor();
  }
  await accessible(page, 'the page of a playbook');
});

it('is the project’s default with an agent, which runs then begin with', async () => {
  const { page } = at.ada;
  const { id: tester } = await at.service.api<{ id: string }>('POST', '/orgs/demo/agents', {
    name: 'Tester',
  });
  const told = { name: 'Test', instructions: 'Write tests.', harness: 'harness_1', timeLimitMinutes: 10 };
  const { id: test } = await at.service.api<Playbook>('POST', `${DEMO}/playbooks`, told);
  await page.goto('/o/demo/p/DEMO/settings/factory');
  await page.getByLabel('Agent', { exact: true }).selectOption('Tester');
  await page.getByLabel('Playbook', { exact: true }).selectOption('Test');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved.').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Agent', { exact: true }).inputValue()).toBe(tester);
  await expect.poll(() => page.getByLabel('Playbook', { exact: true }).inputValue()).toBe(test);
  expect((await playbook('Test')).projectDefault).toBe(true);
  await page.goto('/o/demo/p/DEMO/items/DEMO-3');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByLabel('Agent', { exact: true }).inputValue()).toBe(tester);
  await expect.poll(() => dialog.getByLabel('Playbook', { exact: true }).inputValue()).toBe(test);
  expect(at.ada.complaints).toEqual([]);
});
