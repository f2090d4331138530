/** The numbers of a chart as comma-separated values. Pure. */
import type { Series } from './geometry';

export function csvOf(head: string, categories: readonly string[], series: readonly Series[]): string {
  const rows = categories.map((category, at) => [category, ...series.map(({ values }) => values[at] ?? '')]);
  const lines = [[head, ...series.map(({ label }) => label)], ...rows];
  return lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would run as a formula begins with an apostrophe, as in tables of the service. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
