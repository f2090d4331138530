/** Whether it is a person's turn with an item that an agent refined, as its card tells it. */
import { useQuery } from '@tanstack/react-query';
import type { Item, Run } from '@/api/types';
import { type Refinement, refinementQuery } from '@/data/refinement';
import { projectRunsQuery } from '@/data/runs';
import { projectOf } from '@/lib/text';
import { serverNow } from '@/lib/times';
import { isLive } from './live';

export type Turn = 'answers' | 'confirmation';

/** What a refinement waits for after this run; nothing where it goes on without a person, or is over. */
export function turnOf(run: string, refinement: Refinement | null | undefined): Turn | undefined {
  if (refinement?.run !== run) return undefined;
  if (refinement.status === 'questions') return 'answers';
  return refinement.status === 'proposed' ? 'confirmation' : undefined;
}

/**
 * Whether a run may have left something to a person, however it ended: what was handed in before stays. What it left,
 * only its item's refinement tells.
 */
export function mayWait(run: Pick<Run, 'kind' | 'status'>): boolean {
  return run.kind === 'refine' && !isLive(run);
}

const A_WEEK = 7 * 86_400_000;

/** Whether a card's last run may be a refinement that waits: the card does not say of which kind it was. */
export function mayBeAwaited({ liveRun, lastRun }: Pick<Item, 'liveRun' | 'lastRun'>): boolean {
  if (liveRun || !lastRun) return false;
  return serverNow() - Date.parse(lastRun.finishedAt) < A_WEEK;
}

/** What an item waits for, as its card and the project's latest runs tell it. */
export function useCardTurn(slug: string, card: Pick<Item, 'key' | 'lastRun'>): Turn | undefined {
  const id = card.lastRun?.id ?? '';
  const select = (runs: Run[]) => runs.some((run) => run.id === id && mayWait(run));
  const { data: refined } = useQuery({ ...projectRunsQuery(slug, projectOf(card.key)), select });
  const { data: refinement } = useQuery({
    ...refinementQuery(slug, card.key),
    enabled: refined === true,
    staleTime: 60_000,
  });
  return refined ? turnOf(id, refinement) : undefined;
}
