/** Files on their way: how far they are, what becomes of one that the network cut off, and that each can be stopped. */
import { expect, it } from 'vitest';
import { accessible, arriving } from '../harness';

const at = arriving('/o/demo/p/DEMO/items/DEMO-1', (ada) =>
  ada.page.getByText('As a visitor I want').waitFor(),
);

const notes = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(1_500_000, 'a') });

it('an upload that was cut off is said to be, is kept on the page, and goes again', async () => {
  const { page } = at.ada;
  let cut = true;
  await page.route('**/attachments/**', (route) =>
    cut && route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
  );
  await page.locator('input[type=file]').setInputFiles(notes('cut.txt'));
  await page.getByText(/Not uploaded\. The service cannot be reached\..*kept only on this page/).waitFor();
  expect(await page.getByText(/is kept and sent/).count()).toBe(0);
  await accessible(page, 'an upload that failed');
  cut = false;
  await page.getByRole('button', { name: 'Upload cut.txt again' }).click();
  await page.getByRole('link', { name: /cut\.txt.*1\.5 MB/ }).waitFor();
  expect(await page.getByText(/Not uploaded/).count()).toBe(0);
});

it('an upload shows how far it is, and can be stopped', async () => {
  const { page } = at.ada;
  await page.route('**/attachments/**', (route) =>
    route.request().method() === 'PUT' ? undefined : route.continue(),
  );
  await page.locator('input[type=file]').setInputFiles(notes('slow.txt'));
  await page.getByRole('progressbar', { name: 'Uploading slow.txt' }).waitFor();
  await page.getByText(/of 1\.5 MB/).waitFor();
  await accessible(page, 'an upload');
  await page.getByRole('button', { name: 'Stop uploading slow.txt' }).click();
  await expect.poll(() => page.getByText('slow.txt').count()).toBe(0);
});

it('a comment waits for its files, and takes the link of one that went again', async () => {
  const { page } = at.ada;
  let cut = true;
  await page.route('**/attachments/**', (route) =>
    cut && route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
  );
  await page.getByRole('button', { name: 'Write a comment…' }).click();
  await page.locator('[data-editor]').waitFor();
  await page.keyboard.type('See ');
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['text'], 'pasted.txt', { type: 'text/plain' }));
    const content = document.querySelector('[data-editor]')?.shadowRoot?.querySelector('.cm-content');
    const init = { clipboardData, bubbles: true, cancelable: true, composed: true };
    content?.dispatchEvent(new ClipboardEvent('paste', init));
  });
  await page.getByText(/Not uploaded/).waitFor();
  const send = page.getByRole('button', { name: 'Comment', exact: true });
  expect(await send.getAttribute('aria-disabled')).toBe('true');
  cut = false;
  await page.getByRole('button', { name: 'Upload pasted.txt again' }).click();
  const field = page.getByRole('textbox', { name: 'Write a comment…' });
  await expect.poll(() => field.innerText()).toContain('See [pasted.txt](');
  await send.click();
  await page.getByRole('article').getByRole('link', { name: 'pasted.txt' }).first().waitFor();
});
