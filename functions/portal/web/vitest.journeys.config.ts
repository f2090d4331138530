import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/order.ts';
import { PATIENCE } from './tests/patience.ts';

/**
 * Journeys in a real browser against the built server. Three files play at a time on two processors: while one waits for
 * its server or for an agent, the others have the machine. A worker keeps its browser and its modules from file to file.
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
    maxWorkers: Number(process.env.WORKERS ?? Math.ceil(availableParallelism() * 1.5)),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './tests/slowest.ts'],
  },
});
