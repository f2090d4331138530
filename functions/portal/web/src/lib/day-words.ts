/** Days as people write them. */
import { dayNumber, LENGTH, today } from './days';
import { serverNow } from './times';

/** The day that somebody means: `friday`, `+2w`, `12 mar`, `2026-01-31`; nothing where it is none. */
export function dayOfWords(words: string, now = serverNow()): string | undefined {
  const text = words
    .trim()
    .toLowerCase()
    .replace(/^in (\d+) ?([dwm])\w*$/, '+$1$2');
  const here = Date.parse(today(now));
  const number = dayNumber(text, now) ?? dayOfMonth(text, here);
  const day = number === undefined ? undefined : new Date(number * LENGTH).toISOString();
  return day && /^(19[7-9]|2)\d*-/.test(day) ? day.slice(0, 10) : undefined;
}

/** The next such day, of `12 mar` or `mar 12`. */
function dayOfMonth(text: string, here: number): number | undefined {
  const [, before, name, after] = /^(\d{1,2})?[. ]*([a-z]{3,}) ?(\d{1,2})?$/.exec(text) ?? [];
  const month = MONTHS.findIndex((full) => name && full.startsWith(name));
  const day = Number(before ?? after);
  if (month < 0 || !day || (before && after)) return undefined;
  const year = new Date(here).getUTCFullYear();
  for (const at of [year, year + 1]) {
    const there = Date.UTC(at, month, day);
    if (new Date(there).getUTCDate() === day && there >= here) return there / LENGTH;
  }
  return undefined;
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
