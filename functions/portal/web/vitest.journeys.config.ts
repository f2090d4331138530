import { defineConfig } from 'vitest/config';
import { PATIENCE } from './tests/patience';

/** Journeys in a real browser against the built server, one after the other: the machine that runs them is small. */
export default defineConfig({
  test: {
    include: [`tests/${process.env.PLAY ?? 'journeys'}/**/*.test.ts`],
    environment: 'node',
    expect: { poll: { timeout: PATIENCE } },
    testTimeout: 5 * PATIENCE,
    hookTimeout: 2 * PATIENCE,
    fileParallelism: false,
  },
});
