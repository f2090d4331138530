/**
 * Reads ANSI escapes in a line of a log: colours and weights become styled pieces, every other escape is dropped.
 * Pure; nothing that a log says ends up as markup.
 *
 * Colours keep their hue. Their lightness is the theme's, so that each is readable on both backgrounds.
 */

/** How text is drawn from here on. Carried from line to line of one stream. */
export interface Style {
  /** A palette name (`red`, `bright-red`), or hue and chroma of a free colour. */
  color?: string | { hue: number; chroma: number };
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  inverse?: boolean;
}

export interface Piece extends Style {
  text: string;
}

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

// CSI (colours are those that end in m), OSC up to its end, other two-character escapes, and the controls that are left.
const ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the controls that a terminal reads.
  /\x1b\[([0-9;:?<=>!]*)[ -/]*([@-~])|\x9b([0-9;:?<=>!]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[PX^_][^\x1b]*(?:\x1b\\|$)|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;

// Zero-width and direction-changing characters: they would let a line look like something else.
const HIDDEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** The pieces of a line, and the style that the next line of the same stream begins with. */
export function parseAnsi(line: string, begin: Style = {}): { pieces: Piece[]; end: Style } {
  const pieces: Piece[] = [];
  let style = begin;
  let at = 0;
  const push = (text: string) => {
    const visible = text.replace(HIDDEN, '');
    if (visible) pieces.push({ ...style, text: visible });
  };
  for (const match of line.matchAll(ESCAPE)) {
    push(line.slice(at, match.index));
    at = match.index + match[0].length;
    if ((match[2] ?? match[4]) === 'm') style = styled(style, match[1] ?? match[3] ?? '');
  }
  push(line.slice(at));
  return { pieces, end: style };
}

/** A line as it is read: without escapes, and with what a carriage return wrote over taken away. */
export function plainLine(line: string): string {
  return line.includes('\x1b') || HAS_CONTROL.test(line)
    ? line.replace(ESCAPE, '').replace(HIDDEN, '')
    : line;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const HAS_CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

/** What stands after the last carriage return: progress bars draw over themselves. */
export function collapse(line: string): string {
  const text = line.replace(/\r+$/, '');
  const at = text.lastIndexOf('\r');
  return at < 0 ? text : text.slice(at + 1);
}

function styled(style: Style, parameters: string): Style {
  const codes = parameters.replaceAll(':', ';').split(';').map(Number);
  let next: Style = { ...style };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48 || code === 58) {
      const [color, used] = free(codes, at + 1);
      if (code === 38) next = color === undefined ? without(next, 'color') : { ...next, color };
      at += used;
    } else {
      next = coded(next, code);
    }
  }
  return next;
}

function coded(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code >= 30 && code <= 37) return { ...style, color: NAMES[code - 30] ?? 'white' };
  if (code >= 90 && code <= 97) return { ...style, color: `bright-${NAMES[code - 90]}` };
  switch (code) {
    case 1:
      return { ...style, bold: true };
    case 2:
      return { ...style, dim: true };
    case 3:
      return { ...style, italic: true };
    case 4:
      return { ...style, underline: true };
    case 7:
      return { ...style, inverse: true };
    case 9:
      return { ...style, strike: true };
    case 22:
      return without(without(style, 'bold'), 'dim');
    case 23:
      return without(style, 'italic');
    case 24:
      return without(style, 'underline');
    case 27:
      return without(style, 'inverse');
    case 29:
      return without(style, 'strike');
    case 39:
      return without(style, 'color');
    default:
      return style;
  }
}

function without(style: Style, name: keyof Style): Style {
  const { [name]: _, ...rest } = style;
  return rest;
}

/** A colour of 256 (`5;n`) or a true colour (`2;r;g;b`), and how many numbers it took. */
function free(codes: number[], at: number): [Style['color'], number] {
  if (codes[at] === 5) return [indexed(codes[at + 1] ?? 0), 2];
  if (codes[at] === 2) return [rgb(codes[at + 1] ?? 0, codes[at + 2] ?? 0, codes[at + 3] ?? 0), 4];
  return [undefined, 0];
}

function indexed(index: number): Style['color'] {
  if (index < 8) return NAMES[index];
  if (index < 16) return `bright-${NAMES[index - 8]}`;
  if (index >= 232) return index < 244 ? 'bright-black' : 'white';
  const cube = index - 16;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  return rgb(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

/** Hue and chroma in OKLCH; greys become the palette's. */
function rgb(red: number, green: number, blue: number): Style['color'] {
  const [r, g, b] = [red, green, blue].map((value) => {
    const unit = Math.min(255, Math.max(0, value)) / 255;
    return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const c = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const chroma = Math.hypot(a, c);
  if (chroma < 0.03) return lightness < 0.6 ? 'bright-black' : 'white';
  const hue = Math.round(((Math.atan2(c, a) * 180) / Math.PI + 360) % 360);
  return { hue, chroma: Math.min(0.15, Math.round(chroma * 1000) / 1000) };
}

/** Cuts pieces where ranges of the whole text begin and end, and says which of them each piece is in. */
export function mark(
  pieces: readonly Piece[],
  ranges: readonly [number, number][],
): (Piece & { found?: boolean })[] {
  if (ranges.length === 0) return [...pieces];
  const cut: (Piece & { found?: boolean })[] = [];
  let begin = 0;
  for (const piece of pieces) {
    const end = begin + piece.text.length;
    let at = begin;
    for (const [from, to] of ranges) {
      if (to <= at || from >= end) continue;
      if (from > at) cut.push({ ...piece, text: piece.text.slice(at - begin, from - begin) });
      const start = Math.max(from, at);
      const stop = Math.min(to, end);
      cut.push({ ...piece, text: piece.text.slice(start - begin, stop - begin), found: true });
      at = stop;
    }
    if (at < end) cut.push({ ...piece, text: piece.text.slice(at - begin) });
    begin = end;
  }
  return cut;
}
