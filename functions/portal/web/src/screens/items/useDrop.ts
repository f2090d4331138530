import { type RefObject, useEffect, useState } from 'react';
import type { Item } from '@/api/types';
import type { ItemSelection } from '@/items/selection';
import { queries } from '@/store/queries';
import { useBoardDrag } from '../board/drag';
import { dropOn, mayChange, readAheadOf } from './drop';
import type { Lane } from './lanes';

interface Dropping {
  slug: string;
  lanes: readonly Lane[];
  chosen: ItemSelection;
  enabled: boolean;
  /** What is asked for: for something else, what was dropped before is over. */
  address: string;
}

/** So long an item is shown where it was dropped before the service lists it there. */
const SETTLES = 10_000;

/** Has items be dragged from part to part: one, or all that are selected with it. */
export function useDrop(
  root: RefObject<HTMLElement | null>,
  { slug, lanes, chosen, enabled, address }: Dropping,
) {
  const [last, setLast] = useState<{ items: Item[]; address: string }>();
  useEffect(() => {
    const timer = last && setTimeout(() => setLast(undefined), SETTLES);
    return () => clearTimeout(timer);
  }, [last]);
  const { dragging, over } = useBoardDrag(root, {
    enabled,
    mayDrop: (key) => mayChange(slug, key),
    onDrop: ({ key, state }) => {
      const lane = lanes.find(({ id }) => id === state);
      const items = listed(slug, chosen.selection.has(key) ? chosen.targets : [key]);
      if (!lane) return;
      setLast({ items, address });
      void dropOn(slug, lane, items);
      chosen.focus(key);
    },
  });
  useEffect(() => {
    if (dragging) readAheadOf(slug, dragging);
  }, [slug, dragging]);
  return { dropped: last?.address === address ? last.items : NONE, over: over?.state };
}

const NONE: readonly Item[] = [];

/** The items of these keys, as the lists that were read have them. */
function listed(slug: string, keys: readonly string[]): Item[] {
  const lists = queries.getQueriesData<{ items?: Item[] }>({ queryKey: ['work', slug] });
  const all = new Map<string, Item>();
  for (const [, list] of lists)
    for (const item of list?.items ?? [])
      if ((all.get(item.key)?.version ?? 0) <= item.version) all.set(item.key, item);
  return keys.flatMap((key) => all.get(key) ?? []);
}
