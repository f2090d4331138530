import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Card } from '@/store/feed';
import { matcher, remoteTerms } from './language';

interface Vectors {
  zone: string;
  now: string;
  items: Partial<Card>[];
  filters: [filter: string, keys: string[]][];
}

/** The same as the service's own tests read. */
const FILE = `${process.cwd()}/../../../shared/domain/src/filter/vectors.json`;
const vectors: Vectors = JSON.parse(readFileSync(FILE, 'utf8'));

beforeEach(() => {
  vi.stubEnv('TZ', vectors.zone);
  vi.useFakeTimers({ now: new Date(vectors.now) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

it('matches what the service matches', () => {
  for (const [filter, keys] of vectors.filters) {
    expect([filter, remoteTerms(filter)]).toEqual([filter, []]);
    const matches = matcher(filter, '', { me: 'u1', currentSprint: undefined });
    const found = vectors.items.filter((card) => matches(card as Card)).map(({ key }) => key);
    expect([filter, found]).toEqual([filter, keys]);
  }
});
