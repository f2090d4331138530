import { describe, expect, it } from 'vitest';
import { contested } from './contested';
import type { Card } from './feed';
import { ProjectGraph } from './graph';
import { between, byRank } from './rank';

function card(key: string, more: Partial<Card> = {}): Card {
  const person = { id: 'u1', name: 'Ada', agent: false };
  return {
    key,
    version: 1,
    type: 'task',
    title: `Title of ${key}`,
    body: '',
    state: 'Backlog',
    stateGroup: 'backlog',
    priority: 'medium',
    labels: [],
    estimate: null,
    remaining: null,
    assignee: null,
    parent: null,
    sprint: null,
    rank: '',
    claim: null,
    links: [],
    blocked: false,
    createdBy: person,
    createdAt: '2026-01-05T09:00:00Z',
    updatedAt: '2026-01-05T09:00:00Z',
    ...more,
  };
}

function graph(...cards: Card[]): ProjectGraph {
  const graph = new ProjectGraph('demo', 'DEMO');
  graph.replace({ cards, cursor: '1' });
  return graph;
}

describe('graph', () => {
  it('shows pending changes over what the service says, until they are lifted', () => {
    const g = graph(card('DEMO-1'));
    g.lay({ id: 'w1', key: 'DEMO-1', fields: { state: 'In progress' } });
    g.apply({
      cursor: '2',
      cards: [card('DEMO-1', { version: 2, title: 'Renamed' })],
      removed: [],
      reload: false,
    });
    expect(g.card('DEMO-1')).toMatchObject({ state: 'In progress', title: 'Renamed', version: 2 });
    g.lift('w1');
    expect(g.card('DEMO-1')).toMatchObject({ state: 'Backlog', title: 'Renamed' });
  });

  it('ignores an event older than what it holds', () => {
    const g = graph(card('DEMO-1', { version: 5, title: 'New' }));
    g.apply({
      cursor: '2',
      cards: [card('DEMO-1', { version: 4, title: 'Old' })],
      removed: [],
      reload: false,
    });
    expect(g.card('DEMO-1')?.title).toBe('New');
  });

  it('tells only those who listen to a changed card, and everyone about the list', () => {
    const g = graph(card('DEMO-1'), card('DEMO-2'));
    const told: string[] = [];
    g.subscribeCard('DEMO-1', () => told.push('1'));
    g.subscribeCard('DEMO-2', () => told.push('2'));
    g.subscribe(() => told.push('list'));
    g.confirm(card('DEMO-2', { version: 2 }));
    expect(told).toEqual(['2', 'list']);
  });

  it('drops what was removed, and keeps the array of cards until something changes', () => {
    const g = graph(card('DEMO-2', { rank: 'b' }), card('DEMO-1', { rank: 'c' }));
    const before = g.cards();
    expect(before.map((c) => c.key)).toEqual(['DEMO-2', 'DEMO-1']);
    expect(g.cards()).toBe(before);
    g.apply({ cursor: '2', cards: [], removed: ['DEMO-2'], reload: false });
    expect(g.cards().map((c) => c.key)).toEqual(['DEMO-1']);
  });
});

describe('a card that was just made', () => {
  const keys = (g: ProjectGraph) => g.cards().map((c) => c.key);

  it('is there once when its news come before the answer', () => {
    const g = graph(card('DEMO-1'));
    g.lay({ id: 'w1', key: '~1', fields: {}, creates: card('~1', { title: 'New', rank: 'x' }) });
    g.lay({ id: 'w2', key: '~2', fields: {}, creates: card('~2', { title: 'New', rank: 'y' }) });
    g.apply({ cards: [card('DEMO-1', { title: 'New', version: 2 })], removed: [], reload: false });
    expect(keys(g)).toEqual(['DEMO-1', '~1', '~2']);
    g.apply({ cards: [card('DEMO-2', { title: 'New', rank: 'z' })], removed: [], reload: false });
    expect(keys(g)).toEqual(['DEMO-1', '~2', 'DEMO-2']);
    g.lift('w1');
    expect(keys(g)).toEqual(['DEMO-1', '~2', 'DEMO-2']);
    g.lift('w2');
    expect(keys(g)).toEqual(['DEMO-1', 'DEMO-2']);
  });
});

describe('order of cards', () => {
  const keys = (g: ProjectGraph) => g.cards().map((c) => c.key);

  it('puts a card that changed where it belongs, as sorting all would', () => {
    const g = graph(...Array.from({ length: 20 }, (_, at) => card(`DEMO-${at}`, { rank: `r${at % 7}` })));
    g.cards();
    g.lay({ id: 'w1', key: 'DEMO-3', fields: { rank: 'r0' } });
    g.confirm(card('DEMO-19', { version: 2, rank: '' }));
    g.lay({ id: 'w2', key: '~1', fields: {}, creates: card('~1', { rank: 'r9' }) });
    g.forget('DEMO-8');
    const expected = [...g.cards()].sort(byRank).map((c) => c.key);
    expect(keys(g)).toEqual(expected);
    expect(keys(g)).toHaveLength(20);
    g.lift('w1');
    g.lift('w2');
    expect(keys(g).indexOf('DEMO-3')).toBeGreaterThan(keys(g).indexOf('DEMO-0'));
    expect(keys(g)).not.toContain('~1');
  });

  it('sorts all when many changed', () => {
    const g = graph(card('DEMO-1', { rank: 'z' }));
    g.cards();
    const many = Array.from({ length: 100 }, (_, at) => card(`DEMO-${at + 2}`, { rank: `a${99 - at}` }));
    g.apply({ cards: many, removed: [], reload: false });
    expect(keys(g)).toEqual([...g.cards()].sort(byRank).map((c) => c.key));
    expect(keys(g).at(-1)).toBe('DEMO-1');
  });
});

describe('rank', () => {
  it('finds a place between any two', () => {
    const pairs: [string | undefined, string | undefined][] = [
      [undefined, undefined],
      [undefined, '0000001'],
      ['0000001', '0000002'],
      ['0000001', undefined],
      ['az', 'b'],
    ];
    for (const [before, after] of pairs) {
      const rank = between(before, after);
      if (before !== undefined) expect(rank > before).toBe(true);
      if (after !== undefined) expect(rank < after).toBe(true);
    }
  });

  it('orders by rank, then by number', () => {
    const cards = [
      { key: 'D-10', rank: 'a' },
      { key: 'D-9', rank: 'a' },
      { key: 'D-1', rank: 'b' },
    ];
    expect(cards.sort(byRank).map((c) => c.key)).toEqual(['D-9', 'D-10', 'D-1']);
  });
});

describe('contest', () => {
  it('contests only what both sides changed to different values', () => {
    const before = { priority: 'low', state: 'Backlog' };
    const now = { priority: 'high', state: 'Backlog' };
    expect(contested({ state: 'Done' }, before, now)).toEqual([]);
    expect(contested({ priority: 'highest' }, before, now)).toEqual(['priority']);
    expect(contested({ priority: 'high' }, before, now)).toEqual([]);
  });
});
