/** How a route names its screen: by a function that loads it, so that each screen is a file of its own. */
import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { offline } from '@/api/problem';

type Screen = { default: ComponentType };

/** The screen that a module exports as its default. */
export function screen(load: () => Promise<Screen>) {
  return { component: lazyRouteComponent(() => load().catch((error) => recover(load, error))) };
}

/** What browsers and the bundler say of a file that did not come. */
const ABSENT = /dynamically imported module|importing a module script|preload css/i;

/**
 * What becomes of a screen whose file did not come. Where a newer version of the app was deployed, the file is gone: the
 * page is loaded anew at the address that somebody goes to, once a minute at most. Otherwise the file is asked for once
 * more, and then the page says that the service cannot be reached, with a way to try again.
 */
async function recover(load: () => Promise<Screen>, error: unknown): Promise<Screen> {
  if (!ABSENT.test(String(error))) throw error;
  const page = await servedPage();
  if (page === undefined) throw offline();
  const last = Number(sessionStorage.getItem('svc.reloaded'));
  if (isThisVersion(page) || Date.now() - last < 60_000) {
    return load().catch(() => {
      throw offline();
    });
  }
  sessionStorage.setItem('svc.reloaded', String(Date.now()));
  location.reload();
  return new Promise(() => {});
}

/** The app's page as the service has it now. */
async function servedPage(): Promise<string | undefined> {
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    const page = await answer.text();
    return answer.ok && page.includes('id="root"') ? page : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a page starts with the same files as this one. */
function isThisVersion(page: string): boolean {
  const files = [...document.querySelectorAll('script[type=module][src]')];
  return files.every((file) => page.includes(file.getAttribute('src') ?? ''));
}

/** Search parameters that are plain texts; anything else in the address is left alone. */
export function texts<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): Partial<Record<Name, string>> => {
    const found: Partial<Record<Name, string>> = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === 'string' && value !== '') found[name] = value;
      else if (typeof value === 'number' || typeof value === 'boolean') found[name] = String(value);
    }
    return found;
  };
}
