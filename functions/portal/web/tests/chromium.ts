/** The browser that plays, and how it is started. */
import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright-core';
import { PATIENCE } from './patience';

const WHOLE = '/usr/bin/chromium';
/** The same engine without a window around it: a page costs a third of the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';

/** The whole browser's program, where there is one. */
export const CHROMIUM = process.env.CHROMIUM ?? (existsSync(WHOLE) ? WHOLE : SHELL);
const PLAYS = process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : WHOLE);

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
  executablePath: PLAYS,
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    `--disable-features=${[...OF_PLAYWRIGHT, ...OF_THE_WINDOW].join(',')}`,
  ],
  timeout: PATIENCE,
};
