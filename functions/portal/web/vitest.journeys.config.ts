import { defineConfig } from 'vitest/config';

/** Journeys in a real browser against the built server, one after the other: the machine that runs them is small. */
export default defineConfig({
  test: {
    include: [`tests/${process.env.PLAY ?? 'journeys'}/**/*.test.ts`],
    environment: 'node',
    // On a machine that does much else, a condition takes its time.
    expect: { poll: { timeout: 45_000 } },
    testTimeout: 240_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
