import { describe, expect, it } from 'vitest';
import type { Run } from '@/api/types';
import type { Card } from '@/store/feed';
import { glanceOf } from './runs';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const card = (more: Partial<Card> = {}) => ({ key: 'DEMO-1', liveRun: 'r1', claim: null, ...more }) as Card;
const run = (more: Partial<Run>) =>
  ({ id: 'r1', agent: { id: 'a1', name: 'Builder' }, scheduledFor: null, ...more }) as Run;
const words = (more: Partial<Run>) => glanceOf(card(), run(more), NOW)?.word;

describe('what a card says of its run', () => {
  it('is why it waits, when it starts, or how long it works', () => {
    expect(words({ status: 'queued', waitingReason: 'No runner is online. Start one.' })).toBe(
      'Queued: no runner online',
    );
    expect(words({ status: 'queued', waitingReason: 'Something new.' })).toBe('Queued');
    expect(words({ status: 'queued', scheduledFor: '2026-11-22T18:00:00Z' })).toMatch(/^Scheduled /);
    expect(words({ status: 'assigned' })).toBe('Starting');
    expect(words({ status: 'running', startedAt: '2026-11-22T11:48:00Z' })).toBe('Running 12 min');
  });

  it('tells the whole sentence to who points at it', () => {
    const said = glanceOf(
      card(),
      run({ status: 'queued', waitingReason: 'No runner is online. Start one.' }),
      NOW,
    );
    expect(said).toMatchObject({ more: 'No runner is online. Start one.', agent: 'Builder' });
  });

  it('is nothing for a run that has ended, or where there is none', () => {
    expect(words({ status: 'succeeded' })).toBeUndefined();
    expect(glanceOf({ ...card(), liveRun: undefined } as unknown as Card, undefined, NOW)).toBeUndefined();
  });

  it('comes from the claim where the run is not known, or is another', () => {
    const claim = { agent: true, holderName: 'Builder', since: '2026-11-22T11:30:00Z' } as Card['claim'];
    expect(glanceOf(card(), undefined, NOW)?.word).toBe('Queued');
    expect(glanceOf(card({ claim }), run({ id: 'r0', status: 'failed' }), NOW)?.word).toBe('Running 30 min');
  });
});
