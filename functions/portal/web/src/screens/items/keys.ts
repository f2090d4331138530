/** Which items of the screen are focused and selected, and the keys that act on them. */
import { useState } from 'react';
import type { Access } from '@/app/access';
import { useSharedAccess } from '@/app/shared-access';
import { movementOf, type Step } from '@/items/movement';
import { projectsOf } from '@/items/pick';
import {
  focusItem,
  type ItemSelection,
  useFollowingPeek,
  useItemCommands,
  useItemSelection,
} from '@/items/selection';
import { projectOf } from '@/lib/text';

interface Keys {
  chosen: ItemSelection;
  /** What may be done with all that is selected. */
  access: Access;
  /** The item that the tab key leads to. */
  tabbable: string | undefined;
}

/** The keys of items on what is selected or focused, in the order of the page. */
export function useKeys(
  slug: string,
  peeked: string | undefined,
  onOpen: (key: string) => void,
  onPeek: (key: string) => void,
): Keys {
  const [entered, enter] = useState<string>();
  const chosen = useItemSelection(shownKeys);
  const tabbable = chosen.focused ?? entered;
  useFollowingPeek(chosen.focused, peeked, onPeek);
  const project = tabbable ? projectOf(tabbable) : '';
  const access = useSharedAccess(slug, projectsOf({ project }, chosen.targets));
  const go = (step: Step, selecting: boolean) => () => {
    const keys = shownKeys();
    const at = tabbable === undefined ? -1 : keys.indexOf(tabbable);
    const next = keys[Math.max(0, Math.min(keys.length - 1, at + step))];
    if (next === undefined) return;
    if (selecting) chosen.extend(next);
    else chosen.focus(next);
    enter(next);
    focusItem(next);
  };
  useItemCommands({ slug, project, chosen, access, onOpen, onPeek, more: movementOf(go) });
  return { chosen, access, tabbable };
}

function shownKeys(): string[] {
  const rows = document.querySelectorAll<HTMLElement>('#content [data-card]');
  return [...new Set([...rows].flatMap(({ dataset }) => dataset.card ?? []))];
}
