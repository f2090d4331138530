/** Set-up, sign-in, join, passwords. */
import { createRoute } from '@tanstack/react-router';
import { outside } from './root';
import { screen, texts } from './screen';

const at = () => outside;

export const outsideRoutes = [
  createRoute({ getParentRoute: at, path: '/setup', ...screen(() => import('@/screens/setup')) }),
  createRoute({
    getParentRoute: at,
    path: '/sign-in',
    validateSearch: texts('to', 'email', 'problem'),
    ...screen(() => import('@/screens/sign-in')),
  }),
  createRoute({ getParentRoute: at, path: '/join', ...screen(() => import('@/screens/join')) }),
  createRoute({
    getParentRoute: at,
    path: '/forgot-password',
    ...screen(() => import('@/screens/forgot-password')),
  }),
  createRoute({
    getParentRoute: at,
    path: '/reset-password',
    ...screen(() => import('@/screens/reset-password')),
  }),
  createRoute({
    getParentRoute: at,
    path: '/confirm-address',
    ...screen(() => import('@/screens/confirm-address')),
  }),
  createRoute({ getParentRoute: at, path: '/code-host', ...screen(() => import('@/screens/code-host')) }),
] as const;
