/** What of the factory's statistics is drawn: a line for each group, a place for each week. Pure. */
import type { components } from '@/api/schema';
import type { Series, Tone } from '@/ui/chart/geometry';

export type Stats = components['schemas']['FactoryStats'];
type Numbers = components['schemas']['RunNumbers'];

export const MEASURES = ['success', 'cost', 'review', 'rework'] as const;
export type Measure = (typeof MEASURES)[number];

/** Lines beyond these could not be told from each other. */
export const MOST = 5;
const TONES: readonly Tone[] = ['accent', 'agent', 'ok', 'warn', 'bad'];
const WEEK = 7 * 86_400_000;

/** What a measure says of some runs; nothing where it says nothing. */
export function measured(measure: Measure, numbers: Numbers): number | undefined {
  switch (measure) {
    case 'success':
      return numbers.successPercent ?? undefined;
    case 'cost':
      return numbers.cost;
    case 'review':
      return numbers.reviewMedianSeconds == null ? undefined : numbers.reviewMedianSeconds / 3600;
    case 'rework':
      return numbers.runs > 0 ? (100 * numbers.rework) / numbers.runs : undefined;
  }
}

/** The Mondays of a period, the first one at or after its beginning's week. */
export function mondaysOf({ from, until }: Pick<Stats, 'from' | 'until'>): string[] {
  const begin = Date.parse(from.slice(0, 10));
  const first = begin - ((new Date(begin).getUTCDay() + 6) % 7) * 86_400_000;
  const mondays: string[] = [];
  for (let at = first; at <= Date.parse(until); at += WEEK)
    mondays.push(new Date(at).toISOString().slice(0, 10));
  return mondays;
}

/** The groups with the most runs first. */
export function largest({ groups }: Stats): Stats['groups'] {
  return [...groups].sort((a, b) => b.numbers.runs - a.numbers.runs);
}

/** A line for each of the largest groups. */
export function seriesOf(
  stats: Stats,
  measure: Measure,
  nameOf: (group: Stats['groups'][number]) => string,
): Series[] {
  const mondays = mondaysOf(stats);
  return largest(stats)
    .slice(0, MOST)
    .map((group, at) => {
      const weeks = new Map((group.weeks ?? []).map(({ begins, numbers }) => [begins, numbers]));
      const values = mondays.map((monday) => {
        const numbers = weeks.get(monday);
        return numbers && measured(measure, numbers);
      });
      return {
        id: group.key,
        label: nameOf(group),
        tone: TONES[at] ?? 'muted',
        values,
        dashed: at % 2 === 1,
      };
    });
}
