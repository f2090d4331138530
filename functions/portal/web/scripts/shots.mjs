// Takes pictures of the app for looking at: node scripts/shots.mjs URL EMAIL PASSWORD FOLDER path…
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [url, email, password, folder, ...paths] = process.argv.slice(2);
const widths = (process.env.WIDTHS ?? '390,1024,1440').split(',').map(Number);
const themes = (process.env.THEMES ?? 'light,dark').split(',');
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const theme of themes) {
  const context = await browser.newContext({ colorScheme: theme, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && console.log(message.text()),
  );
  page.on('pageerror', (error) => console.log('page error', error.message));
  if (email !== '-') {
    await page.goto(`${url}/sign-in`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL((address) => address.pathname.startsWith('/o/'));
  }
  for (const path of paths) {
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      await page.goto(url + path);
      await page.waitForTimeout(1200);
      const name = path.replace(/[^a-zA-Z0-9]+/g, '-').replace(/^-|-$/g, '') || 'root';
      await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png` });
    }
  }
  await context.close();
}
await browser.close();
