/** The editor formats by keys, by its toolbar and by a slash; addresses pasted over words become links. */
import { expect, it } from 'vitest';
import { accessible, arriving, Person, picture } from '../harness';

const P = '/o/demo/p/DEMO';
const at = arriving(`${P}/items/DEMO-3`, (ada) =>
  ada.page.getByRole('button', { name: 'Write a comment…' }).waitFor(),
);

/** Opens the composer, and waits for the editor in place of the plain field. */
async function write({ page }: Person) {
  await page.getByRole('button', { name: 'Write a comment…' }).click();
  await page.locator('[data-editor]').waitFor();
  const box = page.getByRole('textbox', { name: 'Write a comment…' });
  return { box, lines: () => box.locator('.cm-line').allTextContents() };
}

it('formats by keys, and by a slash at the beginning of a line', async () => {
  const { page } = at.ada;
  const { lines } = await write(at.ada);
  await page.keyboard.type('Make it bold');
  await page.keyboard.press('Control+b');
  await expect.poll(lines).toEqual(['Make it **bold**']);
  await page.keyboard.press('Control+b');
  await page.keyboard.press('Control+i');
  await expect.poll(lines).toEqual(['Make it _bold_']);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/check');
  await page.getByRole('option', { name: 'Checklist' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('first');
  await expect.poll(lines).toEqual(['Make it _bold_', '- [ ] first']);
  // Ctrl+K is the editor's here, and the palette's elsewhere.
  await page.keyboard.press('Control+k');
  await expect.poll(lines).toEqual(['Make it _bold_', '- [ ] [first](https://)']);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.type('https://example.com');
  await page.keyboard.press('Control+Enter');
  const comment = page.getByRole('article').last();
  await comment.getByRole('link', { name: 'first' }).waitFor();
  expect(await comment.getByRole('checkbox').count()).toBe(1);

  await write(at.ada);
  await page.keyboard.type('/');
  await page.getByRole('option', { name: 'Table' }).waitFor();
  await accessible(page, 'the slash menu');
  await picture(page, 'editor-slash');
  expect(at.ada.complaints).toEqual([]);
});

it('makes a link of words that an address is pasted over', async () => {
  const { page } = at.ada;
  const { lines } = await write(at.ada);
  await page.keyboard.type('see docs');
  await page.keyboard.press('Control+Shift+ArrowLeft');
  await page.evaluate(() => {
    const content = document.querySelector('[data-editor]')?.shadowRoot?.querySelector('.cm-content');
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'https://example.com/docs');
    content?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect.poll(lines).toEqual(['see [docs](https://example.com/docs)']);
});

it('has a toolbar with one tab stop, which keeps the focus in the text', async () => {
  const { page } = at.ada;
  const { box, lines } = await write(at.ada);
  await page.keyboard.type('one');
  const bar = page.getByRole('toolbar', { name: 'Format' });
  await bar.getByRole('button', { name: 'Numbered list' }).click();
  await page.keyboard.type(' more');
  await expect.poll(lines).toEqual(['1. one more']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Checklist');
  await page.keyboard.press('Enter');
  await expect.poll(lines).toEqual(['- [ ] one more']);
  await bar.getByRole('button', { name: 'Mention somebody' }).click();
  await page.getByRole('option', { name: /@Builder/ }).waitFor();
  await accessible(page, 'the mention popup');
  await picture(page, 'editor-mention');
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await picture(page, 'editor-mention-dark');
  await accessible(page, 'the mention popup, dark');
  await page.getByRole('option', { name: /@Builder/ }).click();
  await expect.poll(() => box.textContent()).toContain('@Builder');
  await page.keyboard.type('#lang');
  await page.getByRole('option', { name: /DEMO-/ }).first().waitFor();
  await picture(page, 'editor-items-dark');
  expect(at.ada.complaints).toEqual([]);
});

it('fits a phone', async () => {
  const ada = await Person.arrive(at.service, { width: 390, height: 844 });
  await ada.enter(at.demo.email, at.demo.password, `${P}/items/DEMO-3`);
  await write(ada);
  await ada.page.keyboard.type('@');
  await ada.page.getByRole('option', { name: /@Builder/ }).waitFor();
  await accessible(ada.page, 'the editor on a phone');
  await picture(ada.page, 'editor-phone');
  await ada.leave();
});

it('draws people with their letters and items with their states, and walks a table by keys', async () => {
  const { page } = at.ada;
  const { box, lines } = await write(at.ada);
  await page.keyboard.type('@Demo Owner, see DEMO-4');
  await box.locator('.drawn-person').waitFor();
  await box.locator('.drawn-active').waitFor();
  const letters = box.locator('.drawn-person');
  expect(await letters.getAttribute('data-letters')).toBe('DO');
  await expect.poll(lines).toEqual(['@Demo Owner, see DEMO-4']);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/table');
  await page.getByRole('option', { name: 'Table' }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Day');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Mood');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Monday');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Tuesday');
  await expect.poll(async () => (await lines())[2]).toBe('| Day | Mood |');
  await accessible(page, 'a table in the editor');
  await picture(page, 'editor-drawn');
  await page.keyboard.press('Control+Enter');
  const comment = page.getByRole('article').last();
  await comment.getByRole('cell', { name: 'Tuesday' }).waitFor();
  expect(at.ada.complaints).toEqual([]);
});

it('links pages of the wiki while one is written, and has an outline', async () => {
  const { page } = at.ada;
  await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Guide%20(old)', {
    body: '# One\n\ntext\n\n## Two\n\ntext\n\n## Three\n\ntext',
  });
  await at.service.api('PUT', '/orgs/demo/projects/DEMO/wiki/pages/Start', { body: 'Begin.' });
  await page.goto(`${P}/wiki/Start?edit=1`);
  const box = page.getByRole('textbox', { name: 'Text' });
  await page.locator('[data-editor]').waitFor();
  await box.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' [[gui');
  await page.getByRole('option', { name: /Guide/ }).waitFor();
  await picture(page, 'wiki-page-link');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'Guide (old)' }).last().click();
  await page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('button', { name: 'Three' })
    .waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByText('On this page', { exact: true }).click();
  await page.getByRole('button', { name: 'Three' }).waitFor();
  await accessible(page, 'the outline on a phone');
  await picture(page, 'wiki-outline-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(at.ada.complaints).toEqual([]);
});
