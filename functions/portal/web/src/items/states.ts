import type { StateGroup } from '@/api/types';

/** Whether the work on an item is done, or was given up. */
export function isOver({ stateGroup }: { stateGroup: StateGroup }): boolean {
  return stateGroup === 'resolved' || stateGroup === 'closed';
}
