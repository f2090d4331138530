import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vitest/config';
import app from './vite.config.ts';

const SOURCES = fileURLToPath(new URL('./src', import.meta.url));

const tests = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.test\.tsx?$/.test(file),
);
/** What a file has put in the place of a module stays there for whoever comes after it in the same process. */
const replaces = (file: string) => /\bvi\.(mock|doMock)\(/.test(readFileSync(join(SOURCES, file), 'utf8'));
const named = (files: string[]) => files.map((file) => `src/${file}`);

const common = { environment: 'jsdom', setupFiles: ['src/test-setup.ts'], css: false };

/**
 * Most of the time of a unit test made its environment. Files that replace modules get a process of their own; all others
 * share one for each processor, and `src/test-setup.ts` gives each the app's modules and the browser's storage anew.
 */
export default mergeConfig(
  app,
  defineConfig({
    test: {
      projects: [
        { extends: true, test: { ...common, name: 'alone', include: named(tests.filter(replaces)) } },
        {
          extends: true,
          test: {
            ...common,
            name: 'together',
            include: named(tests.filter((file) => !replaces(file))),
            isolate: false,
          },
        },
      ],
    },
  }),
);
