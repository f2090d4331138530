/** What a sprint's plan is made of: the sprint's items, the backlog, and moving between them. */
import type { Sprint } from '@/api/types';
import { announce } from '@/app/announcer';
import type { Card } from '@/store/feed';
import { changeItem } from '@/store/kinds/item';
import { graphOf } from '@/store/live';
import { undoable } from '@/store/undo';
import { t } from './strings';

export interface PlanLists {
  backlog: Card[];
  planned: Card[];
  /** Sum of the estimates of what is planned. */
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
  const estimate = planned.reduce((sum, card) => sum + (card.estimate ?? 0), 0);
  return { backlog: open.filter(matches), planned: planned.filter(matches), estimate };
}

/** Plans an item for a sprint, or takes it out; shown at once, and can be taken back. */
export function plan(slug: string, project: string, card: Card, sprint: Sprint | undefined): void {
  const before = card.sprint ?? null;
  move(slug, project, card.key, before, sprint?.id ?? null);
  const text = sprint ? t('added', { key: card.key, sprint: sprint.name }) : t('removed', { key: card.key });
  announce(text);
  undoable(text, () => move(slug, project, card.key, sprint?.id ?? null, before));
}

function move(slug: string, project: string, key: string, from: string | null, to: string | null): void {
  changeItem(`${slug}/${key}`, {
    slug,
    project,
    key,
    show: { sprint: to },
    version: graphOf(slug, project).card(key)?.version ?? 0,
    before: { sprint: from },
    request: { move: { sprint: to } },
  });
}
