import type { StateGroup, Workflow } from '@/api/types';

/** Whether the work on an item is done, or was given up. */
export function isOver({ stateGroup }: { stateGroup: StateGroup }): boolean {
  return stateGroup === 'resolved' || stateGroup === 'closed';
}

/** The state after this one that the workflow leads to. */
export function nextState(workflow: Workflow, state: string): string | undefined {
  const names = workflow.states.map(({ name }) => name);
  const later = names.slice(names.indexOf(state) + 1);
  return later.find((to) => workflow.moves.some((move) => move.from === state && move.to === to));
}
