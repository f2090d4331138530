import { describe, expect, it } from 'vitest';
import { expression, type Line, LineReader, parseLines, printLines, rangesIn, search } from './lines';

const entry = (seq: number, text: string, stream = 'stdout') => ({
  seq,
  at: '2026-11-22T12:00:00Z',
  stream: stream as 'stdout',
  text,
});

describe('reading entries', () => {
  it('carries colours within a stream and not into another', () => {
    const reader = new LineReader();
    const lines = reader.read([
      entry(1, '\x1b[31mred'),
      entry(2, 'err', 'stderr'),
      entry(3, 'still\x1b[0m'),
      entry(4, 'plain'),
    ]);
    expect(lines.map((line) => line[4])).toEqual([undefined, undefined, { color: 'red' }, undefined]);
  });

  it('takes a stream that it does not know for output', () => {
    expect(new LineReader().read([entry(1, 'x', 'newer')])[0]?.[2]).toBe('stdout');
  });
});

describe('searching', () => {
  const lines = new LineReader().read([
    entry(1, 'Compiling \x1b[1msvc\x1b[0m'),
    entry(2, 'error: no'),
    entry(3, 'Error again'),
  ]);

  it('finds in what is read, not in escapes, and minds case where the query does', () => {
    expect(search(lines, expression({ text: 'compiling svc', regex: false }) as RegExp)).toEqual([1]);
    expect(search(lines, expression({ text: 'error', regex: false }) as RegExp)).toEqual([2, 3]);
    expect(search(lines, expression({ text: 'Error', regex: false }) as RegExp)).toEqual([3]);
    expect(search(lines, expression({ text: '[1m', regex: false }) as RegExp)).toEqual([]);
  });

  it('takes regular expressions, and says what is wrong with one that is none', () => {
    expect(search(lines, expression({ text: '^error:', regex: true }) as RegExp)).toEqual([2]);
    expect(expression({ text: '(', regex: true })).toEqual(expect.stringContaining('('));
    expect(expression({ text: '', regex: true })).toBeUndefined();
  });

  it('does not loop over empty finds', () => {
    expect(rangesIn('abc', /x*/g)).toEqual([]);
    expect(rangesIn('aXbX', /X/g)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('searches a hundred thousand lines in a moment', () => {
    const many: Line[] = Array.from({ length: 100_000 }, (_, at) => [
      at + 1,
      '',
      'stdout',
      `line ${at} of the log`,
    ]);
    const begin = performance.now();
    expect(search(many, /line 99999/g)).toEqual([100_000]);
    expect(performance.now() - begin).toBeLessThan(1_500);
  });
});

describe('lines in the address', () => {
  it('are one or a range, in either order', () => {
    expect(parseLines('812-820')).toEqual([812, 820]);
    expect(parseLines('820-812')).toEqual([812, 820]);
    expect(parseLines('7')).toEqual([7, 7]);
    expect(parseLines('x')).toBeUndefined();
    expect(parseLines(undefined)).toBeUndefined();
    expect(printLines([7, 7])).toBe('7');
    expect(printLines([812, 820])).toBe('812-820');
  });
});
