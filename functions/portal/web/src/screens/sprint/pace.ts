/** The days of a burndown, and what an even pace leaves of its work at the end of each. Pure. */
import type { components } from '@/api/schema';

const DAY = 86_400_000;

/**
 * `days` are those after the start, up to the sprint's last; `ideal` has the part of the work that is left at the start
 * and at the end of each of them, from 1 to 0.
 */
export function pace({ points, sprint }: components['schemas']['Burndown']): {
  days: string[];
  ideal: number[];
} {
  const days = points.slice(1).map(({ day }) => day);
  const last = points.at(-1)?.day ?? '';
  const end = sprint.end ?? last;
  for (let day = points.length > 1 ? after(last) : last; day && day <= end; day = after(day)) days.push(day);
  return { days, ideal: [0, ...days].map((_, at) => 1 - at / Math.max(1, days.length)) };
}

function after(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);
}
