/**
 * Tells at the end which journeys took longest, so that what becomes slow is seen while it is still small. Which of them
 * failed comes last of all: it is read even where only the end of a long output is kept.
 */
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { ALL } from './all.ts';

const MOST = 10;
const REDUCED =
  'Each screen was judged by axe at one width and theme, and the large board had 1,000 cards: all and 5,000 with SVC_TEST_ALL=1.';

export default class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], outside: readonly SerializedError[]): void {
    tellSlowest(modules);
    const failed = [...modules.flatMap(failures), ...outside.map((error) => failure('outside', [error]))];
    if (failed.length > 0) console.log(`\nFailed:\n${failed.join('\n')}`);
  }
}

function tellSlowest(modules: readonly TestModule[]): void {
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

/** The failed journeys of a file, and what failed before or after them. */
function failures(module: TestModule): string[] {
  const { children } = module;
  const around = [module, ...children.allSuites()].filter((suite) => suite.errors().length > 0);
  return [
    ...around.map((suite) =>
      failure(
        suite.type === 'suite' ? `${fileOf(module)} > ${suite.fullName}` : fileOf(module),
        suite.errors(),
      ),
    ),
    ...[...children.allTests('failed')].map((test) =>
      failure(`${fileOf(module)} > ${test.fullName}`, test.result().errors ?? []),
    ),
  ];
}

function failure(name: string, [error]: readonly { message: string }[]): string {
  return `  ${name}: ${error?.message.split('\n')[0] ?? ''}`;
}

const fileOf = (module: TestModule) => module.moduleId.split('/').pop()?.replace('.test.ts', '') ?? '';

/** With what a file stands on, in seconds. */
function lasted(module: TestModule): number {
  const { duration, setupDuration, collectDuration } = module.diagnostic();
  return (duration + setupDuration + collectDuration) / 1000;
}
