import { expect, it } from 'vitest';
import { csvOf } from './csv';
import { draw, HEIGHT, type Series } from './geometry';

const WIDTH = 720;
const frame = { width: WIDTH, format: String };

const done: Series = { id: 'done', label: 'Done', tone: 'ok', values: [0, 4, 8] };
const open: Series = { id: 'open', label: 'Open', tone: 'accent', values: [8, undefined, 2] };

it('puts higher values higher, within the picture', () => {
  const { shapes, ticks } = draw('lines', 3, [done, open], frame);
  const [first] = shapes;
  expect(first?.dots.map(({ y }) => y)).toEqual(
    [...(first?.dots ?? [])].map(({ y }) => y).sort((a, b) => b - a),
  );
  for (const { x, y } of shapes.flatMap(({ dots }) => dots)) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(WIDTH);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(HEIGHT);
  }
  expect(ticks[0]?.label).toBe('0');
  expect(Number(ticks.at(-1)?.label)).toBeGreaterThanOrEqual(8);
});

it('names no parts of what is only counted', () => {
  const labels = (values: number[]) =>
    draw('bars', values.length, [{ ...done, values }], frame).ticks.map(({ label }) => label);
  expect(labels([0, 0])).toEqual(['0', '1']);
  expect(labels([0, 2])).toEqual(['0', '1', '2']);
  expect(labels([0, 0.5]).some((label) => label.includes('.'))).toBe(true);
});

it('leaves a gap where nothing is known', () => {
  const [, shape] = draw('lines', 3, [done, open], frame).shapes;
  expect(shape?.dots).toHaveLength(2);
  expect(shape?.path.match(/M/g)).toHaveLength(2);
});

it('stacks areas, and draws a bar for each value', () => {
  const { ticks, shapes } = draw('areas', 3, [done, open], frame);
  expect(Number(ticks.at(-1)?.label)).toBeGreaterThanOrEqual(10);
  expect(shapes).toHaveLength(2);
  expect(draw('bars', 3, [done, open], frame).bars).toHaveLength(6);
  expect(draw('bars', 0, [], frame).bars).toEqual([]);
});

it('has room for what stands beside and below, however narrow it is', () => {
  const format = (value: number) => `$${value.toFixed(2)}`;
  for (const width of [320, 720]) {
    const { left, ticks, labels } = draw('lines', 12, [done, open], { width, format, top: 100 });
    expect(left).toBeGreaterThan(6 * Math.max(...ticks.map(({ label }) => label.length)));
    const half = 6 * 'Nov 23'.length * 0.5;
    for (const { x } of labels) expect(x + half).toBeLessThanOrEqual(width);
    const [first, second] = labels;
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBeGreaterThan(2 * half);
  }
});

it('writes a table that a spreadsheet reads and does not run', () => {
  const series = [{ ...done, label: '=SUM(A1)' }, open];
  expect(csvOf('Week', ['1 Jan', '8 Jan, "late"', '15 Jan'], series)).toBe(
    'Week,\'=SUM(A1),Open\r\n1 Jan,0,8\r\n"8 Jan, ""late""",4,\r\n15 Jan,8,2\r\n',
  );
});
