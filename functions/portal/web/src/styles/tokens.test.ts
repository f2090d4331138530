import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync('src/styles/tokens.css', 'utf8');
const blocks = css.split(/\n\s*:root[^{]*\{/).slice(1);
const light = tokensOf(blocks[0] ?? '');
const chosenDark = tokensOf(blocks[1] ?? '');
const systemDark = tokensOf(blocks[2] ?? '');

function tokensOf(block: string): Map<string, string> {
  const body = block.slice(0, block.indexOf('\n  }'));
  return new Map(
    [...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\s+/g, ' '),
    ]),
  );
}

/** Contrast of two colours, after WCAG. */
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [l = 0, c = 0, h = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const [x, y, z] = [
    l + 0.3963377774 * a + 0.2158037573 * b,
    l - 0.1055613458 * a - 0.0638541728 * b,
    l - 0.0894841775 * a - 1.291485548 * b,
  ].map((part) => part ** 3) as [number, number, number];
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const red = clamp(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z);
  const green = clamp(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z);
  const blue = clamp(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const TEXTS = ['--text', '--text-2', '--text-3'];
const GROUNDS = ['--canvas', '--surface', '--sunken', '--hover', '--selected'];
const PAIRS: [string, string][] = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground): [string, string] => [text, ground])),
  ...['agent', 'ok', 'warn', 'bad'].flatMap((tone): [string, string][] => [
    [`--${tone}`, `--${tone}-soft`],
    [`--${tone}`, '--surface'],
  ]),
  ['--accent-text', '--accent-soft'],
  ['--accent-text', '--surface'],
  ['--accent-text', '--selected'],
  ['--on-accent', '--accent'],
];

describe('tokens', () => {
  it('are the same in the dark theme, chosen or the system’s', () => {
    expect([...systemDark]).toEqual([...chosenDark]);
    expect(chosenDark.size).toBeGreaterThan(30);
  });

  for (const [theme, tokens] of [
    ['light', light],
    ['dark', chosenDark],
  ] as const) {
    it(`can be read in the ${theme} theme`, () => {
      const ratio = (a: string, b: string) => contrast(tokens.get(a) ?? '', tokens.get(b) ?? '');
      const low = PAIRS.filter(([a, b]) => ratio(a, b) < 4.6).map(
        ([a, b]) => `${a} on ${b}: ${ratio(a, b).toFixed(2)}`,
      );
      expect(low).toEqual([]);
      for (const mark of ['--line-strong', '--focus'])
        expect(ratio(mark, '--surface')).toBeGreaterThanOrEqual(3);
    });
  }
});
