/** Where lines, areas and bars of a chart are. Pure. */
import { scaleLinear, scalePoint } from 'd3-scale';
import { area, line, stack } from 'd3-shape';

export const HEIGHT = 240;
const RIGHT = 24;
const TOP = 12;
const BOTTOM = 30;
/** Between the values and the lines. */
const GAP = 6;
/** Width of a character of the smallest type, at most. */
const CHARACTER = 8;
/** Width that a category's label needs. */
const LABEL = 64;

/** What a series looks like: its colour and, so that colour is not all, its line. */
export type Tone = 'accent' | 'ok' | 'warn' | 'agent' | 'bad' | 'muted';

export interface Series {
  id: string;
  label: string;
  tone: Tone;
  /** One for each category; nothing where nothing is known. */
  values: readonly (number | undefined)[];
  dashed?: boolean;
}

export type Kind = 'lines' | 'areas' | 'bars';

/** What a picture is drawn into, in pixels. */
interface Frame {
  width: number;
  /** How values are written beside the lines. */
  format: (value: number) => string;
  /** What the picture reaches up to at least. */
  top?: number | undefined;
}

export interface Drawn {
  /** Where the lines begin: to the left of it are their values. */
  left: number;
  /** Values of the horizontal lines, and where they are. */
  ticks: { label: string; y: number }[];
  /** Categories that have room for their label. */
  labels: { at: number; x: number }[];
  shapes: { series: Series; path: string; dots: { x: number; y: number }[] }[];
  bars: { series: Series; at: number; x: number; y: number; width: number; height: number }[];
}

/** `count` categories along the bottom, and the series over them. */
export function draw(kind: Kind, count: number, series: readonly Series[], frame: Frame): Drawn {
  const { width, format, top = 1 } = frame;
  const places = Array.from({ length: count }, (_, at) => at);
  const y = scaleLinear()
    .domain([0, Math.max(top, highest(kind, places, series))])
    .nice(4)
    .range([HEIGHT - BOTTOM, TOP]);
  // Of what is counted there is no half.
  const whole = series.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)));
  const ticks = y
    .ticks(4)
    .filter((value) => !whole || Number.isInteger(value))
    .map((value) => ({ label: format(value), y: y(value) }));
  const left = GAP + CHARACTER * Math.max(3, ...ticks.map(({ label }) => label.length));
  const x = scalePoint<number>()
    .domain(places)
    .range([left, width - RIGHT])
    .padding(kind === 'bars' ? 0.5 : 0.1);
  const px = (at: number) => x(at) ?? 0;
  const step = Math.max(1, Math.ceil((count * LABEL) / (width - left)));
  return {
    left,
    ticks,
    labels: places.filter((at) => at % step === 0).map((at) => ({ at, x: px(at) })),
    shapes:
      kind === 'areas'
        ? areas(places, series, px, y)
        : kind === 'lines'
          ? series.map((one) => ({ series: one, ...lineOf(one, px, y) }))
          : [],
    bars: kind === 'bars' ? barsOf(places, series, px, x.step(), y) : [],
  };
}

function highest(kind: Kind, places: readonly number[], series: readonly Series[]): number {
  const at = (place: number) => series.map(({ values }) => values[place] ?? 0);
  const tops = places.map((place) =>
    kind === 'areas' ? at(place).reduce((sum, value) => sum + value, 0) : Math.max(0, ...at(place)),
  );
  return Math.max(0, ...tops);
}

type Scale = (value: number) => number;

function lineOf({ values }: Series, px: Scale, y: Scale) {
  const known = (value: number | undefined) => value !== undefined;
  const path = line<number | undefined>()
    .defined(known)
    .x((_, at) => px(at))
    .y((value) => y(value ?? 0))([...values]);
  const dots = values.flatMap((value, at) => (value === undefined ? [] : [{ x: px(at), y: y(value) }]));
  return { path: path ?? '', dots };
}

/** The first series lies at the bottom. */
function areas(places: readonly number[], series: readonly Series[], px: Scale, y: Scale) {
  const layers = stack<number, number>()
    .keys(series.map((_, at) => at))
    .value((place, at) => series[at]?.values[place] ?? 0)(places);
  const shape = area<[number, number]>()
    .x((_, at) => px(at))
    .y0(([from]) => y(from))
    .y1(([, to]) => y(to));
  return layers.flatMap((layer, at) => {
    const one = series[at];
    return one ? [{ series: one, path: shape(layer as unknown as [number, number][]) ?? '', dots: [] }] : [];
  });
}

function barsOf(places: readonly number[], series: readonly Series[], px: Scale, step: number, y: Scale) {
  const width = Math.min(28, (step * 0.7) / Math.max(1, series.length));
  return places.flatMap((place) =>
    series.map((one, at) => {
      const top = y(one.values[place] ?? 0);
      return {
        series: one,
        at: place,
        x: px(place) + (at - series.length / 2) * width,
        y: top,
        width: Math.max(1, width - 2),
        height: HEIGHT - BOTTOM - top,
      };
    }),
  );
}
