/**
 * The memory graph of a project: the service's cards, and over them the writes that wait for its answer.
 *
 * `base` is what the service said last. `shown` is base with the pending writes laid over it, in their order; screens
 * read only that. An answer or an event replaces base, never shown: what is pending stays visible until it is
 * answered. An event older than what base holds is ignored.
 */
import type { Card, Delta, Snapshot } from './feed';
import { byRank } from './rank';

/** A pending change of one card. */
export interface Overlay {
  id: string;
  key: string;
  /** When it was made. What was made later lies over it. */
  at?: number;
  fields: Partial<Card>;
  /** A card that the service does not have yet. */
  creates?: Card | undefined;
}

type Listener = () => void;

/** So few changed cards are put into their places; with more, all are sorted. */
const FEW = 64;

export class ProjectGraph {
  readonly slug: string;
  readonly project: string;
  cursor: string | undefined;
  /** Whether there is anything to show yet. */
  loaded = false;
  /** How many items of a very large project are not among the cards. */
  missing = 0;

  #base = new Map<string, Card>();
  #shown = new Map<string, Card>();
  #overlays: Overlay[] = [];
  #listeners = new Set<Listener>();
  #byCard = new Map<string, Set<Listener>>();
  #sorted: readonly Card[] = [];
  /** Cards whose place in `#sorted` is not theirs any more. */
  #unsorted = new Set<string>();
  /** The card of the service for each card that stands in for it until the answer comes. */
  #arrived = new Map<string, string>();
  /** Cards that change in the midst of `together`. */
  #gathered: Set<string> | undefined;
  /** Cards that the service changed or removed since the last snapshot. */
  #since = new Set<string>();

  constructor(slug: string, project: string) {
    this.slug = slug;
    this.project = project;
  }

  /** A card as it is shown. */
  card(key: string): Card | undefined {
    return this.#shown.get(key);
  }

  /** A card as the service has it. */
  baseOf(key: string): Card | undefined {
    return this.#base.get(key);
  }

  /** Every card as shown, in rank order. The same array until something changes. */
  cards(): readonly Card[] {
    if (this.#unsorted.size > 0) {
      this.#sorted =
        this.#unsorted.size > FEW
          ? [...this.#shown.values()].sort(byRank)
          : resorted(this.#sorted, this.#unsorted, this.#shown);
      this.#unsorted = new Set();
    }
    return this.#sorted;
  }

  /** The service's cards, to be kept. */
  stored(): Card[] {
    return [...this.#base.values()];
  }

  /** What the service changed since the last snapshot, to be kept beside it. */
  storedSince(): Pick<Delta, 'cards' | 'removed'> {
    const cards: Card[] = [];
    const removed: string[] = [];
    for (const key of this.#since) {
      const card = this.#base.get(key);
      if (card) cards.push(card);
      else removed.push(key);
    }
    return { cards, removed };
  }

  /** How many cards that is. */
  get changedSince(): number {
    return this.#since.size;
  }

  /** What is kept is the snapshot from here on. */
  forgetSince(): void {
    this.#since.clear();
  }

  /** Replaces everything that the service said. */
  replace(snapshot: Snapshot): void {
    const before = [...this.#shown.keys()];
    this.#base = new Map(snapshot.cards.map((card) => [card.key, card]));
    this.cursor = snapshot.cursor;
    this.missing = snapshot.missing ?? 0;
    this.loaded = true;
    this.#since.clear();
    this.#refresh([...before, ...this.#base.keys(), ...this.#overlays.map((overlay) => overlay.key)]);
  }

  /** Takes in what changed. */
  apply(delta: Omit<Delta, 'cursor'> & { cursor?: string }): void {
    const replaced = delta.cards.flatMap((card) => this.#standIn(card));
    const changed = delta.cards.filter((card) => this.#take(card)).map((card) => card.key);
    const removed = delta.removed.filter((key) => this.#drop(key));
    if (delta.cursor !== undefined) this.cursor = delta.cursor;
    this.#refresh([...changed, ...removed, ...replaced]);
  }

  /** Takes in one card that an answer carried. */
  confirm(card: Card): void {
    if (this.#take(card)) this.#refresh([card.key]);
  }

  /** Forgets a card that the service no longer shows. */
  forget(key: string): void {
    if (this.#drop(key)) this.#refresh([key]);
  }

  /** Does several things at once: who listens is told of them together. */
  together(work: () => void): void {
    const outer = this.#gathered;
    const gathered = outer ?? new Set<string>();
    this.#gathered = gathered;
    try {
      work();
    } finally {
      this.#gathered = outer;
      if (!outer) this.#refresh(gathered);
    }
  }

  lay(overlay: Overlay): void {
    const { at } = overlay;
    const under = this.#overlays.findLastIndex((other) => !at || !other.at || other.at <= at);
    this.#overlays.splice(under + 1, 0, overlay);
    this.#refresh([overlay.key]);
  }

  lift(id: string): void {
    const overlay = this.#overlays.find((candidate) => candidate.id === id);
    if (!overlay) return;
    this.#overlays = this.#overlays.filter((candidate) => candidate !== overlay);
    this.#arrived.delete(overlay.key);
    this.#refresh([overlay.key]);
  }

  /** Whether a card has changes that the service has not confirmed. */
  isPending(key: string): boolean {
    return this.#overlays.some((overlay) => overlay.key === key);
  }

  subscribe = (listener: Listener): Listener => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  subscribeCard(key: string, listener: Listener): Listener {
    const set = this.#byCard.get(key) ?? new Set();
    this.#byCard.set(key, set.add(listener));
    return () => {
      set.delete(listener);
      if (set.size === 0) this.#byCard.delete(key);
    };
  }

  #take(card: Card): boolean {
    const held = this.#base.get(card.key);
    if (held && held.version > card.version) return false;
    const rank = card.rank ?? held?.rank;
    this.#base.set(card.key, rank === undefined ? card : { ...card, rank });
    this.#since.add(card.key);
    return true;
  }

  /** What stood in for a card that is new: its news may come before the answer to whoever made it. */
  #standIn(card: Card): string[] {
    if (this.#base.has(card.key)) return [];
    const same = ({ key, creates }: Overlay) =>
      !this.#arrived.has(key) &&
      creates?.title === card.title &&
      creates.type === card.type &&
      creates.createdBy.id === card.createdBy.id;
    const overlay = this.#overlays.find(same);
    if (!overlay) return [];
    this.#arrived.set(overlay.key, card.key);
    return [overlay.key];
  }

  #drop(key: string): boolean {
    const held = this.#base.delete(key);
    if (held) this.#since.add(key);
    return held;
  }

  #refresh(keys: Iterable<string>): void {
    if (this.#gathered) {
      for (const key of keys) this.#gathered.add(key);
      return;
    }
    const touched = new Set(keys);
    for (const key of touched) {
      const shown = this.#overlaid(key);
      if (shown) this.#shown.set(key, shown);
      else this.#shown.delete(key);
      this.#unsorted.add(key);
    }
    for (const key of touched) for (const listener of [...(this.#byCard.get(key) ?? [])]) listener();
    for (const listener of [...this.#listeners]) listener();
  }

  #overlaid(key: string): Card | undefined {
    const arrived = this.#arrived.get(key);
    if (arrived !== undefined && this.#base.has(arrived)) return undefined;
    let card = this.#base.get(key);
    for (const overlay of this.#overlays) {
      if (overlay.key !== key) continue;
      const under = card ?? overlay.creates;
      if (under) card = { ...under, ...overlay.fields };
    }
    return card;
  }
}

/** Sorted cards, of which some are taken out and put where they belong now. */
function resorted(
  sorted: readonly Card[],
  changed: ReadonlySet<string>,
  shown: ReadonlyMap<string, Card>,
): Card[] {
  const cards = sorted.filter((card) => !changed.has(card.key));
  for (const key of changed) {
    const card = shown.get(key);
    if (card) cards.splice(placeOf(card, cards), 0, card);
  }
  return cards;
}

/** How many of these sorted cards come before a card. */
function placeOf(card: Card, cards: readonly Card[]): number {
  let from = 0;
  let to = cards.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = cards[middle];
    if (other && byRank(other, card) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
