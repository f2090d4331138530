/** Which items of a screen are focused and selected, and the keys that act on them. */
import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Access } from '@/app/access';
import { show } from '@/app/overlays';
import { type Command, useCommands } from '@/commands/registry';
import { useMe } from '@/data/me';
import { writeLocal } from '@/lib/local';
import type { Card } from '@/store/feed';
import { graphOf } from '@/store/live';
import { toast } from '@/ui/toasts';
import { type Place, projectAt, setFields } from './actions';
import { isAcross, PICKERS, type PickerKind, pick, projectsOf } from './pick';
import { usePointed } from './pointed';
import { t } from './strings';
import { leaveTrail } from './trail';

export interface ItemSelection {
  focused: string | undefined;
  focus: (key: string | undefined) => void;
  selection: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** Selects everything from where the selection began up to an item, and nothing beyond that was selected so before. */
  extend: (to: string) => void;
  /** Selects every item that is shown. */
  all: () => void;
  clear: () => void;
  /** The selected items, or the focused one. */
  targets: string[];
}

/** `order`: the keys of a screen's items as they are shown. */
export function useItemSelection(order: () => readonly string[]): ItemSelection {
  const [here] = useState(entryOfHistory);
  const [focused, focus] = useState(() => left.get(here));
  const [{ selection }, select] = useState<Selecting>(NOTHING);
  const now = useRef({ order, focused });
  useEffect(() => {
    now.current = { order, focused };
  });
  useTrail(here, now);
  useEffect(() => {
    const key = left.get(here);
    if (key !== undefined) focusItem(key);
  }, [here]);
  useEffect(() => {
    if (focused !== undefined) left.set(here, focused);
  }, [here, focused]);
  const toggle = useCallback((key: string) => {
    select(({ selection }) => {
      const next = new Set(selection);
      if (!next.delete(key)) next.add(key);
      return { selection: next, from: key };
    });
  }, []);
  const extend = useCallback((to: string) => {
    const { order, focused } = now.current;
    const keys = order();
    select((old) => extended({ ...old, from: old.from ?? focused }, keys, to));
    focus(to);
  }, []);
  const all = useCallback(() => select({ selection: new Set(now.current.order()) }), []);
  const clear = useCallback(() => select(NOTHING), []);
  const targets = selection.size > 0 ? [...selection] : focused ? [focused] : [];
  return { focused, focus, selection, toggle, extend, all, clear, targets };
}

/** Leads from an item that a screen opens to the next one of the screen, and back. `order`: the keys that it shows. */
export function useWayThrough(order: () => readonly string[]): void {
  const [here] = useState(entryOfHistory);
  const now = useRef({ order });
  useEffect(() => {
    now.current = { order };
  });
  useTrail(here, now);
}

/** Notes the items of a screen, in their order, when it is left for another. */
function useTrail(entry: string, now: { readonly current: { order: () => readonly string[] } }): void {
  const last = useRef({ href: '', at: 0 });
  useEffect(() => {
    // Until the next page is there, its address is shown with this one.
    if (!entry.endsWith(` ${location.pathname}`)) return;
    last.current = { href: location.pathname + location.search, at: history.state?.__TSR_index };
  });
  useLayoutEffect(
    () => () => leaveTrail({ ...last.current, entry, keys: now.current.order() }),
    [entry, now],
  );
}

/** Has a board or list that Back leads to begin at an item. */
export function comeBackTo(entry: string, key: string): void {
  left.set(entry, key);
}

/** Has an open peek show the item that gets the focus. */
export function useFollowingPeek(
  focused: string | undefined,
  peek: string | undefined,
  show: (key: string) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a peek that is opened shows what it was opened for
  useEffect(() => {
    if (peek && focused !== undefined && focused !== peek) show(focused);
  }, [focused]);
}

/** The item that had the focus on each board and list of the history: Back leads to it again. */
const left = new Map<string, string>();

function entryOfHistory(): string {
  return `${history.state?.__TSR_index} ${location.pathname}`;
}

/** What is selected, and the two ends of what was selected last in one go. */
interface Selecting {
  selection: ReadonlySet<string>;
  from?: string | undefined;
  to?: string | undefined;
}

const NOTHING: Selecting = { selection: new Set() };

/** A selection from where it began up to an item. What it covered last beyond that is taken out again. */
export function extended(
  { selection, from, to: last }: Selecting,
  order: readonly string[],
  to: string,
): Selecting {
  const start = from !== undefined && order.includes(from) ? from : to;
  const next = new Set(selection);
  if (last !== undefined) for (const key of between(order, start, last)) next.delete(key);
  for (const key of between(order, start, to)) next.add(key);
  return { selection: next, from: start, to };
}

/** The keys from one to another, in whichever direction. */
function between(order: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [order.indexOf(from), order.indexOf(to)].sort((a, b) => a - b) as [number, number];
  return a < 0 ? [] : order.slice(a, b + 1);
}

/** Has Shift with a click select everything up to the item, for what is around the items of a screen. */
export function rangeSelection({ extend }: ItemSelection) {
  return {
    // The browser would select text up to there.
    onMouseDown(event: MouseEvent) {
      if (event.shiftKey && keyAt(event)) event.preventDefault();
    },
    onClickCapture(event: MouseEvent) {
      const key = event.shiftKey ? keyAt(event) : undefined;
      if (key === undefined) return;
      event.stopPropagation();
      // A checkbox that is not let go shows what it was before.
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
      extend(key);
      focusItem(key);
    },
  };
}

function keyAt({ target }: MouseEvent): string | undefined {
  return (target as Element).closest<HTMLElement>('[data-card]')?.dataset.card;
}

/** Puts the keyboard's focus on the element of an item, once it is drawn. */
export function focusItem(key: string): void {
  let tries = 0;
  const attempt = () => {
    const element = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(key)}"]`);
    if (element) element.focus({ preventScroll: false });
    else if (tries++ < 10) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

interface ItemCommandOptions extends Place {
  chosen: ItemSelection;
  access: Access;
  onOpen: (key: string) => void;
  onPeek: (key: string) => void;
  /** Whether keys act on the item that the pointer is at, too. */
  pointing?: boolean;
  /** Movements and whatever else the screen adds. */
  more: Command[];
}

/** The keys of items, on the focused item or on the selected ones. */
export function useItemCommands({
  slug,
  project,
  chosen,
  access,
  onOpen,
  onPeek,
  pointing = false,
  more,
}: ItemCommandOptions): void {
  const { focused, targets, toggle, all, clear, selection } = chosen;
  const me = useMe();
  const place = { slug, project };
  const pointed = usePointed(focused, pointing);
  const one = () => pointed.now() ?? focused;
  const meant = () => {
    const key = one();
    return selection.size > 0 ? targets : key === undefined ? [] : [key];
  };
  const at = (kind: PickerKind) => {
    const keys = meant();
    const anchor =
      document.querySelector(`[data-card="${CSS.escape(one() ?? keys[0] ?? '')}"]`) ??
      document.querySelector('h1');
    if (anchor && keys.length > 0) pick({ ...place, kind, keys, anchor });
  };
  const withOne = (act: (key: string) => void) => () => {
    const key = one();
    if (key !== undefined) act(key);
  };
  const single = focused !== undefined || pointed.ever;
  const some = selection.size > 0 || single;
  const projects = projectsOf(place, targets);
  const commands: Command[] = [];
  if (some && access.write) {
    for (const { kind, keys, title } of PICKERS) {
      commands.push({
        id: `item.${kind}`,
        title: t(title),
        group: 'item',
        keys,
        refusal: access.frozen ?? (isAcross(kind, projects) ? undefined : t('ofOneProject')),
        run: () => at(kind),
      });
    }
    const assign = () => {
      if (projects.some((key) => !graphOf(slug, key).loaded)) return at('assignee');
      const cards = meant()
        .map((key) => graphOf(slug, projectAt(place, key)).card(key))
        .filter((card) => card !== undefined);
      setFields(place, cards, { assignee: { id: me.id, name: me.displayName, agent: false } });
    };
    commands.push({
      id: 'item.assign-me',
      title: t('assignMe'),
      group: 'item',
      keys: 'i',
      refusal: access.frozen,
      run: assign,
    });
  }
  const of = (id: string, title: string, keys: string, act: (key: string) => void): Command => ({
    id: `item.${id}`,
    title,
    group: 'item',
    keys,
    run: withOne(act),
  });
  if (focused) commands.push(of('open', t('open'), 'enter', () => onOpen(focused)));
  if (single)
    commands.push(
      of('peek', t('peek'), 'space', onPeek),
      of('copy-key', t('copyKey'), 'mod+.', (key) => void copy(key)),
      of('select', t('select'), 'x', toggle),
    );
  commands.push({ id: 'item.select-all', title: t('selectAll'), group: 'item', keys: 'mod+a', run: all });
  if (selection.size > 0)
    commands.push({
      id: 'item.clear',
      title: t('clear'),
      group: 'item',
      keys: 'escape',
      run: clear,
      hidden: true,
    });
  useCommands([...commands, ...more]);
}

export async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  toast(t('copied', { text }));
}

/** Remembers what was looked at, for Home and the palette. */
export function useRecent(card: Card | undefined, slug: string): void {
  const key = card?.key;
  const title = card?.title;
  const type = card?.type;
  useEffect(() => {
    if (!key || !title || key.startsWith('~')) return;
    let recent: Recent[] = [];
    try {
      recent = JSON.parse(localStorage.getItem('svc.recent') ?? '[]') as Recent[];
    } catch {
      // Unreadable: begun anew.
    }
    const entry = { slug, key, title, type: type ?? 'task' };
    writeLocal(
      'recent',
      [entry, ...recent.filter((other) => other.key !== key || other.slug !== slug)].slice(0, 12),
    );
  }, [key, title, type, slug]);
}

export interface Recent {
  slug: string;
  key: string;
  title: string;
  type: Card['type'];
}

/** Opens the dialog that creates an item. */
export function create(place: Place, preset = {}): void {
  show({ kind: 'create', ...place, preset });
}
