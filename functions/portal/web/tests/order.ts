/** The files that take longest begin first, so that no processor waits for the last of them. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** As measured; of all others, the order does not matter. */
const LONGEST = [
  'screens',
  'runs',
  'board',
  'item',
  'kept',
  'deletion',
  'absence',
  'plain',
  'marks',
  'playbook',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return [...files].sort((a, b) => place(a) - place(b));
  }
}
