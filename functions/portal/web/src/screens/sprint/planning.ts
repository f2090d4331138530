/** What a sprint's plan is made of: the sprint's items and the backlog. */
import type { Card } from '@/store/feed';

interface PlanLists {
  backlog: Card[];
  planned: Card[];
  /** Sum of the estimates of what is planned, with its subtasks. */
  estimate: number;
}

/** Open items without a sprint, and those of the sprint. Subtasks come with their parents, and epics are planned by hand. */
export function planLists(cards: readonly Card[], sprint: string, query: string): PlanLists {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (card: Card) =>
    words.every((word) => `${card.key} ${card.title}`.toLowerCase().includes(word));
  const whole = cards.filter((card) => card.type !== 'subtask');
  const planned = whole.filter((card) => card.sprint === sprint);
  const open = whole.filter(
    (card) =>
      !card.sprint && card.type !== 'epic' && card.stateGroup !== 'resolved' && card.stateGroup !== 'closed',
  );
  const estimate = estimateOf(cards.filter((card) => card.sprint === sprint));
  return { backlog: open.filter(matches), planned: planned.filter(matches), estimate };
}

/** The sum as the burndown has it: an item whose subtasks are there and have numbers counts by them. */
function estimateOf(cards: readonly Card[]): number {
  const has = (number: number | null | undefined) => number !== null && number !== undefined;
  const split = new Set(
    cards
      .filter(({ type, estimate, remaining }) => type === 'subtask' && (has(estimate) || has(remaining)))
      .map(({ parent }) => parent),
  );
  return cards.reduce((sum, { key, estimate }) => sum + (split.has(key) ? 0 : (estimate ?? 0)), 0);
}
