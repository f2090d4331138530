/** The browser that plays, and how it is started. */
import type { LaunchOptions } from 'playwright-core';
import { PATIENCE } from './patience';

/** Its program. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** What Playwright switches off in Chromium. What is switched off below would otherwise take its place. */
const OF_PLAYWRIGHT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Parts of the browser's own window, which are pages by themselves. Nobody sees them here, and they cost as much as ours. */
const OF_THE_WINDOW = ['InitialWebUI', 'PreloadTopChromeWebUI', 'WebUIReloadButton', 'WebUIToolbar'];

export const LAUNCHED: LaunchOptions = {
  executablePath: CHROMIUM,
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    `--disable-features=${[...OF_PLAYWRIGHT, ...OF_THE_WINDOW].join(',')}`,
  ],
  timeout: PATIENCE,
};
