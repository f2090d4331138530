/** Order of cards in a column: a text that is compared character by character. */

const LOW = 33;
const HIGH = 126;

/** A rank between two others; `undefined` is the end on that side. */
export function between(before: string | undefined, after: string | undefined): string {
  let rank = '';
  for (let at = 0; ; at++) {
    const low = before === undefined || at >= before.length ? LOW : before.charCodeAt(at);
    const high = after === undefined || at >= after.length ? HIGH + 1 : after.charCodeAt(at);
    if (high - low > 1) return rank + String.fromCharCode(Math.floor((low + high) / 2));
    rank += String.fromCharCode(low);
    // The prefix is below `after` already: from here on nothing bounds it from above.
    if (high > low) after = undefined;
  }
}

interface Ranked {
  key: string;
  rank?: string;
}

/** Compares cards by rank, then by number. */
export function byRank(a: Ranked, b: Ranked): number {
  const first = a.rank ?? '';
  const second = b.rank ?? '';
  if (first !== second) return first < second ? -1 : 1;
  return numberOf(a.key) - numberOf(b.key);
}

/** The number at the end of an item key. */
export function numberOf(key: string): number {
  return Number(key.slice(key.lastIndexOf('-') + 1)) || Number.MAX_SAFE_INTEGER;
}
