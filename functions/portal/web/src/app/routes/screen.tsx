/** How a route names its screen: by a function that loads it, so that each screen is a file of its own. */
import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';

/** The screen that a module exports as its default. */
export function screen(load: () => Promise<{ default: ComponentType }>) {
  return { component: lazyRouteComponent(load) };
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
