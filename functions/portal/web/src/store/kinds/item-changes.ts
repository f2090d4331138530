/** Changes of items on their way, and what is told of them. */
import type { ProblemError } from '@/api/problem';
import type { MoveItem, NewItem, UpdateItem } from '@/api/types';
import { emitter } from '@/lib/emitter';
import { contested, same } from '../contested';
import type { Card } from '../feed';

/** What the store tells of its writes, for toasts, conflicts and undo. */
export const itemEvents = emitter<{
  /** Somebody else's value stands; the person may insist. */
  contested: { write: ItemChange; fields: string[]; now: Card; batch?: string | undefined };
  /** Both changed the description and lines overlap. */
  conflict: { change: ItemChange; mine: string; theirs: string; base: string; version: number };
  /** A refused title or description is a draft again, where it was written: `kept`. */
  refused: {
    change: ItemChange;
    key: string;
    problem: ProblemError;
    kept: boolean;
    batch?: string | undefined;
  };
  created: { temporary: string; card: Card };
  /** A new item was refused. Everything that was filled in is a draft again. */
  uncreated: { creation: ItemCreation; problem: ProblemError; at: number };
  saved: { slug: string; card: Card };
}>();

/** One change of an item: of its fields, or of its state, place and sprint. */
export interface ItemChange {
  slug: string;
  project: string;
  key: string;
  /** What it looks like at once. */
  show: Partial<Card>;
  /** The same fields before, to know what others changed since. */
  before: Partial<Card>;
  /** What this person had set there, where it is taken back: cards may be older than that, and it is nobody else's. */
  own?: Partial<Card>;
  /** The version that the change was made on. */
  version: number;
  request: { update: Omit<UpdateItem, 'version'> } | { move: Omit<MoveItem, 'version'> };
}

/** A new item with the key that it has until the service gives it one. */
export interface ItemCreation {
  slug: string;
  project: string;
  temporary: string;
  card: Card;
  body: NewItem;
}

const renamed = new Map<string, string>();

/** The service gave an item of a temporary key its own. */
export function giveKey(temporary: string, key: string): void {
  renamed.set(temporary, key);
}

/** The key that the service gave to an item of a temporary key. */
export function finalKey(key: string): string {
  return renamed.get(key) ?? key;
}

/** A place is relative to its neighbours: two people who place a card do not contradict each other, the later counts. */
export function contestedFields(input: ItemChange, now: Card): (keyof Card)[] {
  const { show, before, own = before } = input;
  return contested<Card>(show, before, now).filter(
    (field) => field !== 'rank' && !same(now[field], own[field]),
  );
}
