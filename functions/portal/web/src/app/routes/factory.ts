/**
 * Factory, runs, refinement, sprints, wiki, settings and account: the routes of each list are added here, one line a
 * screen, as in `tracker.ts`.
 */

/** Under `/`. */
export const moreInsideRoutes = [] as const;

/** Under `/o/$slug`. */
export const moreOrganizationRoutes = [] as const;

/** Under `/o/$slug/p/$project`. */
export const moreProjectRoutes = [] as const;
