/** The route table: the URL is the state of every screen. */
import { createRoute, createRouter } from '@tanstack/react-router';
import { setRoutePaths } from './router-paths';
import { moreInsideRoutes, moreOrganizationRoutes, moreProjectRoutes } from './routes/factory';
import { outsideRoutes } from './routes/outside';
import { inside, organization, outside, project, root } from './routes/root';
import { screen } from './routes/screen';
import { insideRoutes, organizationRoutes, projectRoutes } from './routes/tracker';

const development = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/dev/gallery',
        ...screen(() => import('@/screens/gallery')),
      }),
    ]
  : [];

const tree = root.addChildren([
  outside.addChildren([...outsideRoutes]),
  inside.addChildren([
    ...insideRoutes,
    ...moreInsideRoutes,
    organization.addChildren([
      ...organizationRoutes,
      ...moreOrganizationRoutes,
      project.addChildren([...projectRoutes, ...moreProjectRoutes]),
    ]),
  ]),
  ...development,
]);

export const router = createRouter({
  routeTree: tree,
  // Preloading on hover would eat the request budget: screens prefetch what they know to be wanted.
  defaultPreload: false,
  scrollRestoration: true,
  defaultPendingMs: 200,
  defaultPendingMinMs: 0,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

setRoutePaths(Object.keys(router.routesByPath));
