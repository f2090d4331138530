/** Days without a time, as `2026-01-31`: what they are called, and which of them are over. */
import { dayOf, serverNow } from './times';

const LOCALE = 'en';
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const whole = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full' });

/** Of a day, in milliseconds. */
export const LENGTH = 24 * 3_600_000;

/** The day that it is for the person who looks. */
export function today(now = serverNow()): string {
  const at = new Date(now);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** "today", "tomorrow", "12 Mar", with the year where it is not this one. */
export function dayName(day: string, now = serverNow()): string {
  const away = (Date.parse(day) - Date.parse(today(now))) / LENGTH;
  if (Math.abs(away) <= 1) return relative.format(away, 'day');
  return dayOf(midnight(day), now);
}

/** "Thursday, March 12, 2026". */
export function wholeDay(day: string): string {
  return whole.format(midnight(day));
}

/** The time zone of the person who looks, as the service calls it; nothing where the browser does not know one. */
export function timeZone(): string | undefined {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && zone !== 'Etc/Unknown' ? zone : undefined;
}

/** The day of a time where the person who looks is, as a number. */
export function dayNumberOf(time: string): number {
  return Math.floor(Date.parse(today(Date.parse(time))) / LENGTH);
}

/** A day as a number: of a day as it is written, or of one that a filter names from where the person is. */
export function dayNumber(text: string, now = serverNow()): number | undefined {
  const first = Math.floor(Date.parse(today(now)) / LENGTH);
  const named = { yesterday: -1, today: 0, tomorrow: 1 }[text];
  if (named !== undefined) return first + named;
  const distant = /^([+-]\d{1,4})([dwm])$/.exec(text);
  if (distant) return first + daysOf(Number(distant[1]), distant[2] ?? '', first);
  const weekday = WEEK.findIndex((name) => name === text || name.slice(0, 3) === text);
  if (weekday >= 0) return first + ((weekday - weekdayOf(first) + 7) % 7);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const at = Date.parse(text);
  // The 30th of February is no day, whatever a browser makes of it.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? at / LENGTH : undefined;
}

/** The day of the week of a day as a number, Sunday first: the first of all was a Thursday. */
function weekdayOf(day: number): number {
  return (day + 4) % 7;
}

/** A day that lies behind, as filters name it: of a day of the week, the last one. */
export function pastDayNumber(text: string, now = serverNow()): number | undefined {
  const day = dayNumber(text, now);
  const first = dayNumber('today', now);
  const isWeekday = WEEK.some((name) => name === text || name.slice(0, 3) === text);
  return isWeekday && day !== undefined && first !== undefined && day > first ? day - 7 : day;
}

const WEEK = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** How many days away so many days, weeks or months are. A month that is too short ends on its last day. */
function daysOf(count: number, unit: string, first: number): number {
  if (unit !== 'm') return unit === 'w' ? count * 7 : count;
  const today = new Date(first * LENGTH);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + count];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const there = Date.UTC(year, month, Math.min(today.getUTCDate(), last));
  return there / LENGTH - first;
}

/** Its first moment where the person is; a text alone would be read as a moment in Greenwich. */
function midnight(day: string): Date {
  return new Date(`${day}T00:00:00`);
}
