/** Days on a line: where bars begin and end, where months begin, where today is. Pure. */

const DAY = 86_400_000;

export const ZOOMS = { weeks: 18, months: 6, quarters: 2.5 } as const;
export type Zoom = keyof typeof ZOOMS;

/** A day of the calendar as a number: days since the first of 1970. */
export const dayNumber = (day: string): number => Math.floor(Date.parse(day.slice(0, 10)) / DAY);
export const dayText = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

interface Span {
  /** The first and the last day, as numbers. */
  from: number;
  to: number;
}

/** Days before the first bar and after the last one. */
const BEFORE = 14;
const AFTER = 60;

/** The days that a timeline shows: all of its bars, and today, with room at both ends. */
export function spanOf(bars: readonly Span[], today: number): Span {
  const from = Math.min(today, ...bars.map((bar) => bar.from)) - BEFORE;
  const to = Math.max(today, ...bars.map((bar) => bar.to)) + AFTER;
  return { from, to };
}

/** The first day of each month of a span, and whether it begins a year. */
export function monthsOf({ from, to }: Span): { day: number; year: boolean }[] {
  const first = new Date(from * DAY);
  const months: { day: number; year: boolean }[] = [];
  for (let month = 0; ; month++) {
    const at = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1));
    const day = at.getTime() / DAY;
    if (day > to) return months;
    if (day >= from) months.push({ day, year: at.getUTCMonth() === 0 });
  }
}

/** A day that keys or the pointer moved, within what the service takes, and never before a bar begins. */
export function movedTo(day: number, by: number, earliest: number): number {
  return Math.min(dayNumber('2999-12-31'), Math.max(earliest, day + by));
}

/** By how many days a key moves what is held: a day, or a week with Shift. */
export function stepOf(key: string, shift: boolean): number | undefined {
  const way = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[key];
  if (way !== undefined) return shift ? way * 7 : way;
  return { PageUp: 30, PageDown: -30 }[key];
}

/** How far a line turns, how long its head is, and half of a row, in pixels. */
const TURN = 6;
const HEAD = 5;
const HALF = 20;

/** A line from the end of what is waited for to the beginning of what waits. */
export function arrow(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const end = { x: to.x - HEAD, y: to.y };
  if (end.x - from.x >= 2 * TURN) {
    const bend = (end.x - from.x) / 2;
    return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`;
  }
  // What waits began before: the line goes back between the rows, so that it crosses no bar.
  const down = Math.sign(to.y - from.y) || 1;
  const between = from.y + down * HALF;
  const right = `M${from.x} ${from.y}q${TURN} 0 ${TURN} ${down * TURN}V${between - down * TURN}`;
  const back = `q0 ${down * TURN} ${-TURN} ${down * TURN}H${end.x}q${-TURN} 0 ${-TURN} ${down * TURN}`;
  return `${right}${back}V${end.y - down * TURN}q0 ${down * TURN} ${TURN} ${down * TURN}`;
}
