import { expect, it } from 'vitest';
import { csvOf } from './csv';
import { draw, HEIGHT, type Series, WIDTH } from './geometry';

const done: Series = { id: 'done', label: 'Done', tone: 'ok', values: [0, 4, 8] };
const open: Series = { id: 'open', label: 'Open', tone: 'accent', values: [8, undefined, 2] };

it('puts higher values higher, within the picture', () => {
  const { shapes, ticks } = draw('lines', 3, [done, open]);
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
  expect(ticks[0]?.value).toBe(0);
  expect(ticks.at(-1)?.value).toBeGreaterThanOrEqual(8);
});

it('leaves a gap where nothing is known', () => {
  const [, shape] = draw('lines', 3, [done, open]).shapes;
  expect(shape?.dots).toHaveLength(2);
  expect(shape?.path.match(/M/g)).toHaveLength(2);
});

it('stacks areas, and draws a bar for each value', () => {
  const { ticks, shapes } = draw('areas', 3, [done, open]);
  expect(ticks.at(-1)?.value).toBeGreaterThanOrEqual(10);
  expect(shapes).toHaveLength(2);
  expect(draw('bars', 3, [done, open]).bars).toHaveLength(6);
  expect(draw('bars', 0, []).bars).toEqual([]);
});

it('writes a table that a spreadsheet reads and does not run', () => {
  const series = [{ ...done, label: '=SUM(A1)' }, open];
  expect(csvOf('Week', ['1 Jan', '8 Jan, "late"', '15 Jan'], series)).toBe(
    'Week,\'=SUM(A1),Open\r\n1 Jan,0,8\r\n"8 Jan, ""late""",4,\r\n15 Jan,8,2\r\n',
  );
});
