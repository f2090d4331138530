/** The board or list that an item was opened from: its items, in their order, and the way back to it. */

interface Trail {
  /** The keys of its items as they were shown. */
  keys: readonly string[];
  /** Its address. */
  href: string;
  /** Its entry in the history, and its place there. */
  entry: string;
  at: number;
}

/** What surrounds an item there. */
interface Surroundings extends Trail {
  /** How many come before it. */
  place: number;
  previous: string | undefined;
  next: string | undefined;
}

let trail: Trail | undefined;

/** Notes what is left for another page. */
export function leaveTrail(next: Trail): void {
  trail = next;
}

/** What surrounds an item of an organization where it was opened from; nothing where it was not opened from such a page. */
export function surroundings(slug: string, key: string): Surroundings | undefined {
  // Of the organization itself, the address is Home's.
  if (!trail || trail.href.split(/[/?]/)[2] !== slug) return undefined;
  const { keys } = trail;
  const place = keys.indexOf(key);
  return place < 0 ? undefined : { ...trail, place, previous: keys[place - 1], next: keys[place + 1] };
}
