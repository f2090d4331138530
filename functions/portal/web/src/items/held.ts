/** Items that lists of the service brought, as this browser holds them. Their projects need not be open. */
import type { Item } from '@/api/types';
import { projectOf } from '@/lib/text';
import type { Card } from '@/store/feed';
import { useCard } from '@/store/hooks';
import { graphOf } from '@/store/live';

/** An item as this browser shows it: what was just changed here is seen before the service tells. */
export function useShown(slug: string, item: Item): Item | Card {
  const card = useCard(graphOf(slug, projectOf(item.key)), item.key);
  return card && card.version >= item.version ? card : item;
}

/**
 * The item as a card that can be changed. What is shown of it may be a change that is on its way, and is not taken for the
 * service's.
 */
export function held(slug: string, item: Item | Card): Card {
  const graph = graphOf(slug, projectOf(item.key));
  const base = graph.baseOf(item.key);
  if (!base || base.version < item.version) graph.confirm({ ...item, body: '' });
  return graph.card(item.key) ?? { ...item, body: '' };
}
