/** Which items of a screen are focused and selected, and the keys that act on them. */
import { useCallback, useEffect, useState } from 'react';
import type { Access } from '@/app/access';
import { show } from '@/app/overlays';
import { type Command, useCommands } from '@/commands/registry';
import { useMe } from '@/data/me';
import { writeLocal } from '@/lib/local';
import type { Card } from '@/store/feed';
import { graphOf } from '@/store/live';
import { toast } from '@/ui/toasts';
import { type Place, setFields } from './actions';
import { PICKERS, type PickerKind, pick } from './pick';
import { t } from './strings';

export interface ItemSelection {
  focused: string | undefined;
  focus: (key: string | undefined) => void;
  selection: ReadonlySet<string>;
  toggle: (key: string) => void;
  clear: () => void;
  /** The selected items, or the focused one. */
  targets: string[];
}

export function useItemSelection(): ItemSelection {
  const [focused, focus] = useState<string>();
  const [selection, setSelection] = useState<ReadonlySet<string>>(NOTHING);
  const toggle = useCallback((key: string) => {
    setSelection((old) => {
      const next = new Set(old);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const clear = useCallback(() => setSelection(NOTHING), []);
  const targets = selection.size > 0 ? [...selection] : focused ? [focused] : [];
  return { focused, focus, selection, toggle, clear, targets };
}

const NOTHING: ReadonlySet<string> = new Set();

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
  more,
}: ItemCommandOptions): void {
  const { focused, targets, toggle, clear, selection } = chosen;
  const me = useMe();
  const place = { slug, project };
  const at = (kind: PickerKind) => {
    const anchor =
      document.querySelector(`[data-card="${CSS.escape(focused ?? targets[0] ?? '')}"]`) ??
      document.querySelector('h1');
    if (anchor && targets.length > 0) pick({ ...place, kind, keys: targets, anchor });
  };
  const some = targets.length > 0;
  const commands: Command[] = [];
  if (some && access.write) {
    for (const { kind, keys, title } of PICKERS) {
      commands.push({
        id: `item.${kind}`,
        title: t(title),
        group: 'item',
        keys,
        refusal: access.frozen,
        run: () => at(kind),
      });
    }
    const assign = () => {
      for (const key of targets) {
        const card = graphOf(slug, project).card(key);
        if (card) setFields(place, card, { assignee: { id: me.id, name: me.displayName, agent: false } });
      }
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
  if (focused) {
    commands.push(
      { id: 'item.open', title: t('open'), group: 'item', keys: 'enter', run: () => onOpen(focused) },
      { id: 'item.peek', title: t('peek'), group: 'item', keys: 'space', run: () => onPeek(focused) },
      { id: 'item.select', title: t('select'), group: 'item', keys: 'x', run: () => toggle(focused) },
      {
        id: 'item.copy-key',
        title: t('copyKey'),
        group: 'item',
        keys: 'mod+.',
        run: () => void copy(focused),
      },
    );
  }
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
