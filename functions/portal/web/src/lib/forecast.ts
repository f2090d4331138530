/**
 * When work will be done, from how much was done each week before. The weeks to come are drawn from the weeks that were,
 * again and again; what came out tells how likely each end is. The same numbers give the same answer. Pure.
 */

export interface Forecast {
  /** Weeks from now until half of the draws were done. */
  likely: number;
  /** Weeks from now until 85 of 100 were. */
  safe: number;
}

const DRAWS = 400;
/** Weeks after which nothing is told: it would be a guess. */
export const HORIZON = 104;

/** `weekly`: what was done in each whole week, oldest first. Nothing where nothing was, or where it takes too long. */
export function forecast(left: number, weekly: readonly number[]): Forecast | undefined {
  if (left <= 0) return { likely: 0, safe: 0 };
  if (weekly.every((done) => done <= 0)) return undefined;
  const next = randomly(weekly.length);
  const ends = Array.from({ length: DRAWS }, () => {
    let open = left;
    let weeks = 0;
    for (; open > 0 && weeks <= HORIZON; weeks++) open -= weekly[next()] ?? 0;
    return weeks;
  }).sort((a, b) => a - b);
  const at = (part: number) => ends[Math.ceil(DRAWS * part) - 1] ?? HORIZON + 1;
  const found = { likely: at(0.5), safe: at(0.85) };
  return found.safe > HORIZON ? undefined : found;
}

/** Numbers below `count`, always the same ones (a linear congruential generator). */
function randomly(count: number): () => number {
  let state = 20_260_101;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** The day so many weeks from a moment. */
export function dayAfter(weeks: number, now: number): Date {
  return new Date(now + weeks * 7 * 86_400_000);
}
