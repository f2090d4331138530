/** The root of the route table, and the two frames that everything else is in. */
import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { isOffline, isProblem } from '@/api/problem';
import { meQuery } from '@/data/me';
import { setupQuery } from '@/data/setup';
import { queries } from '@/store/queries';
import { OrganizationFrame } from '../OrganizationFrame';
import { Shell } from '../Shell';
import { Crash, Missing } from '../States';
import { begin, forgetEverything } from '../session';

export const root = createRootRoute({ component: Outlet, notFoundComponent: Missing, errorComponent: Crash });

/** Pages for who is not signed in: set-up, sign-in, join. */
export const outside = createRoute({ getParentRoute: () => root, id: 'outside', component: Outlet });

/** Pages for who is: sidebar, palette, stream. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const known = queries.getQueryData(meQuery.queryKey);
    if (known) {
      // Painted from what is kept; the shell asks the service at the same time.
      return;
    }
    try {
      await begin(await queries.fetchQuery(meQuery));
    } catch (error) {
      if (isOffline(error) || !isProblem(error, 'unauthenticated')) throw error;
      await forgetEverything();
      const { needed } = await queries.fetchQuery(setupQuery);
      if (needed) throw redirect({ to: '/setup', replace: true });
      const to = location.href === '/' ? undefined : location.href;
      throw redirect({ to: '/sign-in', search: to ? { to } : {}, replace: true });
    }
  },
});

/** Everything of an organization. */
export const organization = createRoute({
  getParentRoute: () => inside,
  path: '/o/$slug',
  component: OrganizationFrame,
});

/** Everything of a project. */
export const project = createRoute({
  getParentRoute: () => organization,
  path: '/p/$project',
  component: Outlet,
});
