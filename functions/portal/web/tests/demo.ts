/** Makes the demo's data once for all journeys. The server of each file begins with a copy of it. */
import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { Service } from './service';

declare module 'vitest' {
  export interface ProvidedContext {
    demo: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const service = await Service.start({ demo: true });
  await service.stop(true);
  provide('demo', service.directory);
  return () => rmSync(service.directory, { recursive: true, force: true });
}
