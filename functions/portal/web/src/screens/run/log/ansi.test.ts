import { describe, expect, it } from 'vitest';
import { collapse, mark, parseAnsi, plainLine } from './ansi';

const pieces = (line: string) => parseAnsi(line).pieces;

describe('ansi', () => {
  it('reads the sixteen colours and weights', () => {
    expect(pieces('\x1b[31mred\x1b[0m plain \x1b[1;94mblue')).toEqual([
      { text: 'red', color: 'red' },
      { text: ' plain ' },
      { text: 'blue', bold: true, color: 'bright-blue' },
    ]);
  });

  it('carries the style to the next line until it is reset', () => {
    const { end } = parseAnsi('\x1b[32mgreen');
    expect(parseAnsi('still', end).pieces).toEqual([{ text: 'still', color: 'green' }]);
    expect(parseAnsi('over\x1b[m', end).end).toEqual({});
  });

  it('keeps the hue of free colours, and takes greys for the palette’s', () => {
    expect(pieces('\x1b[38;2;255;0;0mx')[0]?.color).toMatchObject({ hue: 29 });
    expect(pieces('\x1b[38;5;196mx')[0]?.color).toMatchObject({ hue: 29 });
    expect(pieces('\x1b[38;5;9mx')[0]?.color).toBe('bright-red');
    expect(pieces('\x1b[38;5;238mx')[0]?.color).toBe('bright-black');
    expect(pieces('\x1b[38:2:0:0:0mx')[0]?.color).toBe('bright-black');
  });

  it('drops cursor movements, titles, links and stray controls', () => {
    const line =
      '\x1b[2J\x1b[1;1Ha\x1b]0;title\x07b\x1b]8;;https://example.com\x1b\\c\x1b(Bd\x00\x07e\x1b[?25l';
    expect(plainLine(line)).toBe('abcde');
    expect(
      pieces(line)
        .map((piece) => piece.text)
        .join(''),
    ).toBe('abcde');
  });

  it('drops characters that change the direction of text or hide in it', () => {
    expect(plainLine('a\u202eb\u200bc')).toBe('abc');
    expect(pieces('a\u202eb')).toEqual([{ text: 'ab' }]);
  });

  it('does not stumble over an escape that is cut off', () => {
    for (const line of ['\x1b', '\x1b[', '\x1b[38;2;', '\x1b[38m', '\x1b]8;;', 'x\x1b[3']) {
      expect(() => parseAnsi(line)).not.toThrow();
    }
    expect(pieces('\x1b[38;5mx').map((piece) => piece.text)).toEqual(['x']);
  });

  it('is quick with a flood of escapes', () => {
    const flood = '\x1b[31m\x1b[0m'.repeat(50_000);
    const begin = process.cpuUsage();
    expect(pieces(flood)).toEqual([]);
    // Of the processor, and not by a clock: a busy machine makes nothing slower.
    expect(process.cpuUsage(begin).user / 1_000).toBeLessThan(1_000);
  });

  it('keeps what a progress bar drew last', () => {
    expect(collapse('10 %\r50 %\r100 %\r')).toBe('100 %');
    expect(collapse('plain')).toBe('plain');
  });
});

describe('mark', () => {
  it('cuts pieces where something was found', () => {
    const marked = mark([{ text: 'hello ' }, { text: 'world', bold: true }], [[4, 8]]);
    expect(marked).toEqual([
      { text: 'hell' },
      { text: 'o ', found: true },
      { text: 'wo', bold: true, found: true },
      { text: 'rld', bold: true },
    ]);
  });
});
