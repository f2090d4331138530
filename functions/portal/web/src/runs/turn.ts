/** Refinements in which it is a person's turn: the agent asked something, or proposed a ticket. */
import { useQueries, useQuery } from '@tanstack/react-query';
import type { Run } from '@/api/types';
import { refinementQuery } from '@/data/refinement';
import { plain } from '@/lib/text';
import { serverNow } from '@/lib/times';
import { mayWait, type Turn, turnOf } from './card-turn';
import { lately } from './live';
import { t } from './turn-strings';

export interface Waits {
  turn: Turn;
  happened: string;
  next: string;
  open: string;
}

/** What an item's newest run waits for. Asks only about refinements. */
export function useTurn(run: Run, operator: boolean): Waits | undefined {
  const enabled = operator && mayWait(run);
  const { data: refinement } = useQuery({ ...refinementQuery(run.organization, run.item), enabled });
  const turn = enabled ? turnOf(run.id, refinement) : undefined;
  if (!turn || !refinement) return undefined;
  const values = { agent: plain(refinement.agent.name), n: refinement.questions.length };
  return {
    turn,
    happened: t(`happened.${turn}`, values),
    next: t(`next.${turn}`),
    open: t(`open.${turn}`),
  };
}

/** The runs among these that wait for a person, with what for; as many as are asked about at once. */
export function useTurns(slug: string, runs: readonly Run[]): [Run, Turn][] {
  const asked = lately(runs, serverNow()).filter(mayWait).slice(0, MOST);
  return useQueries({
    queries: asked.map((run) => refinementQuery(slug, run.item)),
    combine: (answers) =>
      answers.flatMap(({ data }, at): [Run, Turn][] => {
        const run = asked[at];
        const turn = run && turnOf(run.id, data);
        return run && turn ? [[run, turn]] : [];
      }),
  });
}

const MOST = 8;
