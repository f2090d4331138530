/** Times that people choose, as the browser's date field holds them: local, to the minute. */

const SIX_HOURS = 6 * 3_600_000;

/** Six hours from now, on a whole minute. */
export function inSixHours(now: number): number {
  return Math.floor((now + SIX_HOURS) / 60_000) * 60_000;
}

/** The text of a date field. */
export function toLocal(at: number): string {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The moment that a date field holds. */
export function fromLocal(text: string): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** The name of the browser's zone. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
