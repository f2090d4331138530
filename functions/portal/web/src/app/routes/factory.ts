/**
 * Factory, runs, refinement, sprints, wiki, settings and account: the routes of each list are added here, one line a
 * screen, as in `tracker.ts`.
 */
import { createRoute } from '@tanstack/react-router';
import { inside, organization, project } from './root';
import { screen, texts } from './screen';

const inShell = () => inside;
const account = screen(() => import('@/screens/account'));

/** Under `/`. */
export const moreInsideRoutes = [
  createRoute({ getParentRoute: inShell, path: '/settings/profile', ...account }),
  createRoute({ getParentRoute: inShell, path: '/settings/organizations', ...account }),
  createRoute({ getParentRoute: inShell, path: '/settings/notifications', ...account }),
  createRoute({ getParentRoute: inShell, path: '/settings/tokens', ...account }),
  createRoute({ getParentRoute: inShell, path: '/settings/sessions', ...account }),
  createRoute({ getParentRoute: inShell, path: '/settings/appearance', ...account }),
  createRoute({ getParentRoute: inShell, path: '/settings/instance', ...account }),
] as const;

const ofOrganization = () => organization;

/** Under `/o/$slug`. */
export const moreOrganizationRoutes = [
  createRoute({
    getParentRoute: ofOrganization,
    path: '/activity',
    validateSearch: texts('project', 'status'),
    ...screen(() => import('@/screens/activity')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory',
    ...screen(() => import('@/screens/factory')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/runs',
    validateSearch: texts('project', 'status', 'agent', 'page'),
    ...screen(() => import('@/screens/runs')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/runs/$run',
    validateSearch: texts('tab', 'line', 'find', 'regex', 'file'),
    ...screen(() => import('@/screens/run')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/agents',
    ...screen(() => import('@/screens/agents')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/runners',
    ...screen(() => import('@/screens/runners')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/playbooks',
    validateSearch: texts('project'),
    ...screen(() => import('@/screens/playbooks')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/playbooks/$playbook',
    validateSearch: texts('project'),
    ...screen(() => import('@/screens/playbook')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/rules',
    validateSearch: texts('project', 'rule', 'page'),
    ...screen(() => import('@/screens/rules')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/schedules',
    validateSearch: texts('project', 'schedule'),
    ...screen(() => import('@/screens/schedules')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/insights',
    validateSearch: texts('by', 'weeks'),
    ...screen(() => import('@/screens/factory-insights')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/roadmap',
    validateSearch: texts('zoom'),
    ...screen(() => import('@/screens/roadmap')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/factory/budgets',
    ...screen(() => import('@/screens/budgets')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/settings',
    ...screen(() => import('@/screens/organization-settings')),
  }),
  createRoute({
    getParentRoute: ofOrganization,
    path: '/settings/$section',
    validateSearch: texts('webhook'),
    ...screen(() => import('@/screens/organization-settings')),
  }),
] as const;

const ofProject = () => project;

/** Under `/o/$slug/p/$project`. */
export const moreProjectRoutes = [
  createRoute({
    getParentRoute: ofProject,
    path: '/items/$item/refine',
    ...screen(() => import('@/screens/refine')),
  }),
  createRoute({ getParentRoute: ofProject, path: '/sprints', ...screen(() => import('@/screens/sprints')) }),
  createRoute({
    getParentRoute: ofProject,
    path: '/sprints/$sprint/$part',
    ...screen(() => import('@/screens/sprint')),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/milestones',
    ...screen(() => import('@/screens/milestones')),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/milestones/$milestone',
    ...screen(() => import('@/screens/milestone')),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/overview',
    ...screen(() => import('@/screens/overview')),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/roadmap',
    validateSearch: texts('zoom'),
    ...screen(() => import('@/screens/roadmap')),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/insights',
    validateSearch: texts('weeks', 'milestone'),
    ...screen(() => import('@/screens/insights')),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/wiki',
    validateSearch: texts('bin'),
    ...screen(() => import('@/screens/wiki')),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/wiki/$',
    validateSearch: texts('edit', 'version', 'versions', 'diff', 'bin'),
    ...screen(() => import('@/screens/wiki')),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/settings',
    ...screen(() => import('@/screens/project-settings')),
  }),
  createRoute({
    getParentRoute: ofProject,
    path: '/settings/$section',
    ...screen(() => import('@/screens/project-settings')),
  }),
] as const;
