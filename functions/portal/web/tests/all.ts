/** Whether everything is tested at its full size, as before a release, and not only what a change can break. */
export const ALL = (process.env.SVC_TEST_ALL ?? '') !== '';
