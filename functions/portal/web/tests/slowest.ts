/** Tells at the end which journeys took longest, so that what becomes slow is seen while it is still small. */
import type { Reporter, TestModule } from 'vitest/node';
import { ALL } from './all.ts';

const MOST = 10;
const REDUCED =
  'Each screen was judged by axe at one width and theme, and the large board had 1,000 cards: all and 5,000 with SVC_TEST_ALL=1.';

export default class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const told = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        name: `${fileOf(module)} > ${test.fullName}`,
        seconds: (test.diagnostic()?.duration ?? 0) / 1000,
      })),
    );
    if (told.length < 2) return;
    const sum = modules.reduce((sum, module) => sum + lasted(module), 0);
    console.log(`\nThe slowest of ${told.length} journeys, of ${sum.toFixed(0)} s one after the other:`);
    for (const { name, seconds } of told.sort((a, b) => b.seconds - a.seconds).slice(0, MOST))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
    if (!ALL) console.log(REDUCED);
    if (process.env.SVC_TEST_TIMES)
      for (const module of [...modules].sort((a, b) => lasted(b) - lasted(a)))
        console.log(`${lasted(module).toFixed(1).padStart(7)} s  ${fileOf(module)}`);
  }
}

const fileOf = (module: TestModule) => module.moduleId.split('/').pop()?.replace('.test.ts', '') ?? '';

/** With what a file stands on, in seconds. */
function lasted(module: TestModule): number {
  const { duration, setupDuration, collectDuration } = module.diagnostic();
  return (duration + setupDuration + collectDuration) / 1000;
}
