/** Geometry of a burndown: what remains by day, and the straight line to nothing. Pure. */

export interface Point {
  x: number;
  y: number;
}

export interface Chart {
  remaining: Point[];
  ideal: Point[];
  /** Values of the horizontal lines, and where they are. */
  ticks: { value: number; y: number }[];
  days: { label: string; x: number }[];
}

export const WIDTH = 720;
export const HEIGHT = 280;
const LEFT = 40;
const RIGHT = 28;
const TOP = 12;
const BOTTOM = 34;
const DAY = 86_400_000;

/** What remained at a moment. */
export interface Measure {
  at: string;
  remaining: number;
}

const label = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

/** `measures` is what is known, oldest first; `last` the sprint's last day, which may be to come. */
export function chart(measures: readonly Measure[], last: string | undefined): Chart {
  const first = measures[0];
  if (!first) return { remaining: [], ideal: [], ticks: [], days: [] };
  const begin = Date.parse(first.at);
  const known = Date.parse(measures.at(-1)?.at ?? first.at);
  const end = Math.max(known, last ? endOf(last) : known, begin + DAY);
  const most = niceCeiling(Math.max(...measures.map((measure) => measure.remaining), 1));
  const x = (at: number) => LEFT + ((at - begin) / (end - begin)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
  return {
    remaining: measures.map((measure) => ({ x: x(Date.parse(measure.at)), y: y(measure.remaining) })),
    ideal: [
      { x: LEFT, y: y(first.remaining) },
      { x: WIDTH - RIGHT, y: y(0) },
    ],
    ticks: [0, 0.25, 0.5, 0.75, 1].map((part) => ({
      value: Math.round(part * most * 100) / 100,
      y: y(part * most),
    })),
    days: dayLabels(begin, end).map((at) => ({ label: label.format(at), x: x(at) })),
  };
}

/** A round number at or above. */
export function niceCeiling(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((factor) => factor * unit).find((round) => round >= value) ?? 10 * unit;
}

/** Up to seven days between two moments. */
function dayLabels(begin: number, end: number): number[] {
  const days = Math.floor((end - begin) / DAY);
  const step = Math.max(1, Math.ceil(days / 7));
  return Array.from({ length: Math.floor(days / step) + 1 }, (_, at) => begin + at * step * DAY);
}

/** The end of a day. */
function endOf(day: string): number {
  return Date.parse(`${day.slice(0, 10)}T23:59:59Z`);
}

export function path(points: readonly Point[]): string {
  return points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
