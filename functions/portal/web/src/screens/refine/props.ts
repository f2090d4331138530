import type { RenderedItem } from '@/api/types';
import type { Refinement } from '@/data/refinement';

/** What is given to whoever's turn it is. */
export interface TurnProps {
  slug: string;
  project: string;
  item: RenderedItem;
  refinement: Refinement | null;
  /** Whether the person may write in the project at all. */
  write: boolean;
  /** Why nothing can be changed now. */
  frozen: string | undefined;
}
