import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Run } from '@/api/types';
import type { Refinement } from '@/data/refinement';
import { mayBeAwaited, turnOf, useCardTurn } from './card-turn';
import { useTurn, useTurns } from './turn';

const NOW = '2026-11-22T12:00:00Z';
const run = (id: string, item: string, more: Partial<Run> = {}) =>
  ({
    id,
    item,
    organization: 'demo',
    kind: 'refine',
    status: 'succeeded',
    queuedAt: new Date().toISOString(),
    finishedAt: new Date().toISOString(),
    ...more,
  }) as Run;
const refinement = (item: string, more: Partial<Refinement>) =>
  ({ item, agent: { id: 'a1', name: 'Builder' }, questions: [], ...more }) as Refinement;

/** What the service says of refinements and runs; which of them were asked for. */
function serving(refinements: Record<string, Refinement>, runs: Run[] = []) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    const key = /items\/([^/]+)\/refinement$/.exec(pathname)?.[1];
    asked.push(key ?? 'runs');
    return Response.json(key ? refinements[key] : { items: runs });
  });
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return { asked, wrapper };
}

afterEach(() => void vi.unstubAllGlobals());

describe('a refinement', () => {
  it('waits for a person with questions and with a proposal, and else for nobody', () => {
    const waits = (status: Refinement['status'], its = 'r1') =>
      turnOf('r1', refinement('D-1', { status, run: its }));
    expect(waits('questions')).toBe('answers');
    expect(waits('proposed')).toBe('confirmation');
    for (const status of ['running', 'failed', 'confirmed'] as const) expect(waits(status)).toBeUndefined();
    // Another round has begun since.
    expect(waits('questions', 'r2')).toBeUndefined();
    expect(turnOf('r1', null)).toBeUndefined();
  });

  it('says on its item for what it waits, to operators alone', async () => {
    const questions = [1, 2].map((number) => ({ number, question: '?' }));
    const { asked, wrapper } = serving({
      'D-1': refinement('D-1', { status: 'questions', run: 'r1', questions }),
    });
    const { result } = renderHook(() => useTurn(run('r1', 'D-1'), true), { wrapper });
    await waitFor(() => expect(result.current?.turn).toBe('answers'));
    expect(result.current?.happened).toBe('Builder has 2 questions about the ticket.');
    expect(result.current?.next).toMatch(/waits for your answers/);
    const other = renderHook(() => useTurn(run('r1', 'D-1'), false), { wrapper });
    expect(other.result.current).toBeUndefined();
    renderHook(() => useTurn(run('r2', 'D-2', { kind: 'implement' }), true), { wrapper });
    renderHook(() => useTurn(run('r3', 'D-3', { status: 'running' }), true), { wrapper });
    expect(asked).toEqual(['D-1']);
  });

  it('is found among the latest runs, if it is its item’s last', async () => {
    const runs = [
      run('r1', 'D-1'),
      run('r2', 'D-2', { kind: 'implement' }),
      run('r3', 'D-2'),
      run('r4', 'D-3', { status: 'failed' }),
      run('r5', 'D-4', { finishedAt: '2026-01-01T00:00:00Z' }),
    ];
    const { asked, wrapper } = serving({
      'D-1': refinement('D-1', { status: 'questions', run: 'r1' }),
      'D-3': refinement('D-3', { status: 'proposed', run: 'r4' }),
    });
    const { result } = renderHook(() => useTurns('demo', runs), { wrapper });
    await waitFor(() =>
      expect(result.current.map(([{ item }, turn]) => [item, turn])).toEqual([
        ['D-1', 'answers'],
        ['D-3', 'confirmation'],
      ]),
    );
    expect(asked.sort()).toEqual(['D-1', 'D-3']);
  });
});

describe('a card', () => {
  const lastRun = (more: object = {}) =>
    ({ id: 'r1', status: 'succeeded', finishedAt: NOW, ...more }) as never;

  it('asks only where the last run ended lately', () => {
    vi.useFakeTimers({ now: Date.parse(NOW) + 1000 });
    expect(mayBeAwaited({ lastRun: lastRun() })).toBe(true);
    expect(mayBeAwaited({ lastRun: lastRun({ status: 'failed' }) })).toBe(true);
    expect(mayBeAwaited({ lastRun: lastRun({ finishedAt: '2026-11-01T00:00:00Z' }) })).toBe(false);
    expect(mayBeAwaited({ lastRun: lastRun(), liveRun: 'r2' })).toBe(false);
    expect(mayBeAwaited({})).toBe(false);
    vi.useRealTimers();
  });

  it('says that its refinement waits, and asks nothing about runs of other kinds', async () => {
    const { asked, wrapper } = serving({ 'D-1': refinement('D-1', { status: 'questions', run: 'r1' }) }, [
      run('r1', 'D-1'),
      run('r2', 'D-2', { kind: 'implement' }),
    ]);
    const { result } = renderHook(() => useCardTurn('demo', { key: 'D-1', lastRun: lastRun() }), { wrapper });
    await waitFor(() => expect(result.current).toBe('answers'));
    const other = renderHook(() => useCardTurn('demo', { key: 'D-2', lastRun: lastRun({ id: 'r2' }) }), {
      wrapper,
    });
    expect(other.result.current).toBeUndefined();
    expect(asked).toEqual(['runs', 'D-1']);
  });
});
