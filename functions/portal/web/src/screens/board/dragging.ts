/** Dragging cards, by the library. Loaded after the board is drawn. */
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import type { Landing } from './landing';

interface Hooks {
  mayDrop: (key: string, state: string) => boolean;
  onDrop: (landing: Landing) => void;
  onStart: (key: string | undefined) => void;
  onOver: (landing: Landing | undefined) => void;
}

/** Makes what is below an element draggable, now and when more comes, until the answered function is called. */
export function startDragging(board: HTMLElement, hooks: Hooks): () => void {
  const bound = new Map<Element, () => void>();
  const bind = (element: HTMLElement) => {
    if (bound.has(element)) return;
    bound.set(element, element.dataset.card ? bindCard(element) : bindColumn(element, hooks));
  };
  const sweep = () => {
    for (const element of board.querySelectorAll<HTMLElement>('[data-card], [data-column]')) bind(element);
    for (const [element, unbind] of bound) {
      if (element.isConnected) continue;
      unbind();
      bound.delete(element);
    }
  };
  sweep();
  const observer = new MutationObserver(sweep);
  observer.observe(board, { childList: true, subtree: true });
  const stop = monitorForElements({
    onDragStart: ({ source }) => hooks.onStart(String(source.data.key)),
    onDrag: ({ source, location }) => hooks.onOver(landing(String(source.data.key), location.current)),
    onDrop: ({ source, location }) => {
      hooks.onStart(undefined);
      hooks.onOver(undefined);
      const at = landing(String(source.data.key), location.current);
      if (at) hooks.onDrop(at);
    },
  });
  return () => {
    observer.disconnect();
    stop();
    for (const unbind of bound.values()) unbind();
  };
}

function bindCard(element: HTMLElement): () => void {
  return draggable({
    element,
    getInitialData: () => ({ key: element.dataset.card }),
    onDragStart: () => element.setAttribute('data-dragging', ''),
    onDrop: () => element.removeAttribute('data-dragging'),
  });
}

function bindColumn(element: HTMLElement, hooks: Hooks): () => void {
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => hooks.mayDrop(String(source.data.key), element.dataset.column ?? ''),
    getData: () => ({ state: element.dataset.column, lane: element.dataset.lane ?? '' }),
  });
}

interface Position {
  dropTargets: { element: Element; data: Record<string | symbol, unknown> }[];
  input: { clientY: number };
}

/** The column under the pointer, and the last of its cards whose middle is above it. */
function landing(key: string, { dropTargets, input }: Position): Landing | undefined {
  const target = dropTargets[0];
  if (!target) return undefined;
  let after: string | null = null;
  for (const card of target.element.querySelectorAll<HTMLElement>('[data-card]')) {
    if (card.dataset.card === key) continue;
    const box = card.getBoundingClientRect();
    if (input.clientY > box.top + box.height / 2) after = card.dataset.card ?? null;
  }
  const first = target.element.querySelector<HTMLElement>('[data-before]')?.dataset.before;
  return {
    key,
    state: String(target.data.state),
    lane: String(target.data.lane),
    after: after ?? first ?? null,
  };
}
