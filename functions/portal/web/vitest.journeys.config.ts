import { defineConfig } from 'vitest/config';
import { PATIENCE } from './tests/patience.ts';

/**
 * Journeys in a real browser against the built server. Two files play at a time: while one waits for its server, the other
 * has the machine. A worker keeps its browser and its modules from file to file.
 */
export default defineConfig({
  test: {
    include: [`tests/${process.env.PLAY ?? 'journeys'}/**/*.test.ts`],
    environment: 'node',
    globalSetup: './tests/demo.ts',
    expect: { poll: { timeout: PATIENCE } },
    testTimeout: 5 * PATIENCE,
    hookTimeout: 2 * PATIENCE,
    isolate: false,
    maxWorkers: Number(process.env.WORKERS ?? 2),
  },
});
