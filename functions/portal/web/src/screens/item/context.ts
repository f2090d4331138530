import type { RenderedItem, Workflow } from '@/api/types';
import type { Access } from '@/app/access';
import type { Card } from '@/store/feed';
import type { ProjectGraph } from '@/store/graph';

/** What the parts of an item page are given. */
export interface ItemContext {
  slug: string;
  project: string;
  graph: ProjectGraph;
  card: Card;
  detail: RenderedItem | undefined;
  workflow: Workflow;
  access: Access;
  /** Why nothing can be changed, whatever the person's role. */
  frozen: string | undefined;
}
