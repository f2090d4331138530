/**
 * How long a journey waits for a condition, in milliseconds. It tells what never comes from what is late, and nothing of
 * how fast a machine is: on one that builds something else beside, a page can take a minute. A condition that is met
 * costs no waiting.
 */
export const PATIENCE = 180_000;
