/** Dates and times as people read them: local, relative under a week, with the zone on hover. */

const LOCALE = 'en';
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'narrow' });
const spoken = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'always', style: 'long' });
const day = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How far the browser's clock is behind the service's, in milliseconds. */
let skew = 0;

/** Learns the service's clock from an answer's `Date`: a browser whose clock is wrong still shows true ages. */
export function learnClock(date: string | null, now = Date.now()): void {
  const told = date ? Date.parse(date) : Number.NaN;
  if (!Number.isNaN(told)) skew = Math.abs(told - now) > 5_000 ? told - now : 0;
}

/** The service's time, in milliseconds. */
export function serverNow(): number {
  return Date.now() + skew;
}

/** "3 min. ago", "yesterday", "12 Mar". */
export function ago(iso: string, now = serverNow()): string {
  const at = Date.parse(iso);
  const past = now - at;
  const size = Math.abs(past);
  if (size < 45_000) return 'now';
  if (size < HOUR) return relative.format(-Math.round(past / MINUTE), 'minute');
  if (size < DAY) return relative.format(-Math.round(past / HOUR), 'hour');
  if (size < 7 * DAY) return relative.format(-Math.round(past / DAY), 'day');
  return dayOf(iso, now);
}

/** The same for a sentence: "18 minutes ago". */
export function agoSpoken(iso: string, now = serverNow()): string {
  const past = Math.max(now - Date.parse(iso), MINUTE);
  if (past < HOUR) return spoken.format(-Math.round(past / MINUTE), 'minute');
  if (past < DAY) return spoken.format(-Math.round(past / HOUR), 'hour');
  return spoken.format(-Math.round(past / DAY), 'day');
}

/** "12 Mar", with the year where it is not this one. */
export function dayOf(moment: string | Date, now = serverNow()): string {
  const at = new Date(moment);
  return (at.getFullYear() === new Date(now).getFullYear() ? day : dayAndYear).format(at);
}

/** The whole date and time with its zone, for hovering. */
export function exactly(iso: string): string {
  return exact.format(Date.parse(iso));
}

/** "14:30", or "12 Mar 14:30" on another day. */
export function clockTime(iso: string, now = serverNow()): string {
  const at = new Date(iso);
  const today = at.toDateString() === new Date(now).toDateString();
  return today ? clock.format(at) : `${day.format(at)} ${clock.format(at)}`;
}

/** "12 s", "4 min", "1 h 05 min". */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
