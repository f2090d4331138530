/** Collects what was measured, and prints it as one table with what is aimed at and how busy the machine was. */
import { cpus, loadavg } from 'node:os';

interface Figure {
  name: string;
  value: number;
  unit: string;
  aim: string;
  met: boolean | undefined;
}

const figures: Figure[] = [];
const remarks: string[] = [];

/** A figure that should be at most, or at least, so much. */
export function figure(
  name: string,
  value: number,
  unit: string,
  aim: { most?: number; least?: number } = {},
) {
  const { most, least } = aim;
  const met = most !== undefined ? value <= most : least !== undefined ? value >= least : undefined;
  const words = most !== undefined ? `≤ ${most}` : least !== undefined ? `≥ ${least}` : '';
  figures.push({ name, value: Math.round(value * 100) / 100, unit, aim: words, met });
}

/** Something to say besides figures. */
export function remark(text: string): void {
  remarks.push(text);
}

export function printFigures(): void {
  const [one = 0, five = 0] = loadavg();
  const lines = figures.map(({ name, value, unit, aim, met }) => {
    const verdict = met === undefined ? '' : met ? 'met' : 'MISSED';
    return `${name.padEnd(52)} ${`${value} ${unit}`.padStart(14)}  ${aim.padEnd(10)} ${verdict}`;
  });
  const load = `load ${one.toFixed(1)} (1 min), ${five.toFixed(1)} (5 min) on ${cpus().length} cores`;
  console.log(['', ...lines, '', ...remarks, load].join('\n'));
}

export function median(values: readonly number[]): number {
  return at(values, 0.5);
}

export function p95(values: readonly number[]): number {
  return at(values, 0.95);
}

function at(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
