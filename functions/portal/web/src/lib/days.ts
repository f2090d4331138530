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

/** A day of the service's calendar as a number: of a day as it is written, or of one that a filter names. */
export function dayNumber(text: string, now = serverNow()): number | undefined {
  const first = Math.floor(now / LENGTH);
  const named = { yesterday: -1, today: 0, tomorrow: 1 }[text];
  if (named !== undefined) return first + named;
  const distant = /^([+-]\d{1,4})([dwm])$/.exec(text);
  if (distant) return first + daysOf(Number(distant[1]), distant[2] ?? '', now);
  const weekday = WEEK.findIndex((name) => name === text || name.slice(0, 3) === text);
  if (weekday >= 0) return first + ((weekday - new Date(now).getUTCDay() + 7) % 7);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const at = Date.parse(text);
  // The 30th of February is no day, whatever a browser makes of it.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? at / LENGTH : undefined;
}

const WEEK = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** How many days away so many days, weeks or months are. A month that is too short ends on its last day. */
function daysOf(count: number, unit: string, now: number): number {
  if (unit !== 'm') return unit === 'w' ? count * 7 : count;
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + count];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const there = Date.UTC(year, month, Math.min(today.getUTCDate(), last));
  return there / LENGTH - Math.floor(now / LENGTH);
}

/** Its first moment where the person is; a text alone would be read as a moment in Greenwich. */
function midnight(day: string): Date {
  return new Date(`${day}T00:00:00`);
}
