/** Home, projects, board, list, items, search. */
import { createRoute, redirect } from '@tanstack/react-router';
import { inside, organization, project } from './root';
import { screen, texts } from './screen';

const view = texts('filter', 'q', 'sort', 'group', 'lanes', 'columns', 'view', 'peek');

export const insideRoutes = [
  createRoute({ getParentRoute: () => inside, path: '/', ...screen(() => import('@/screens/start')) }),
  createRoute({ getParentRoute: () => inside, path: '/inbox', ...screen(() => import('@/screens/inbox')) }),
  createRoute({
    getParentRoute: () => inside,
    path: '/new-organization',
    ...screen(() => import('@/screens/new-organization')),
  }),
] as const;

export const organizationRoutes = [
  createRoute({
    getParentRoute: () => organization,
    path: '/',
    validateSearch: texts('tab', 'peek', 'changes'),
    ...screen(() => import('@/screens/home')),
  }),
  createRoute({
    getParentRoute: () => organization,
    path: '/items',
    validateSearch: texts('filter', 'q', 'sort', 'group', 'as', 'view', 'peek'),
    ...screen(() => import('@/screens/items')),
  }),
  createRoute({
    getParentRoute: () => organization,
    path: '/p',
    ...screen(() => import('@/screens/projects')),
  }),
  createRoute({
    getParentRoute: () => organization,
    path: '/search',
    validateSearch: texts('q', 'types'),
    ...screen(() => import('@/screens/search')),
  }),
] as const;

export const projectRoutes = [
  createRoute({
    getParentRoute: () => project,
    path: '/',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/o/$slug/p/$project/board', params, replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/board',
    validateSearch: view,
    ...screen(() => import('@/screens/board')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/list',
    validateSearch: view,
    ...screen(() => import('@/screens/list')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/items/$item',
    ...screen(() => import('@/screens/item')),
  }),
  createRoute({
    getParentRoute: () => project,
    path: '/deleted-items',
    ...screen(() => import('@/screens/deleted-items')),
  }),
] as const;
