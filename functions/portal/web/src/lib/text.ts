/** Small helpers for texts that people write. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A name or title without control, zero-width and direction-changing characters, so that it cannot disguise itself. */
export function plain(text: string): string {
  return text.replace(HIDDEN, '');
}

/** A sentence of the service without the ids in it, which tell people nothing. */
export function withoutIds(text: string): string {
  return text.replace(/ [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '');
}

const NAMES = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Orders names as people do: without regard to case, 2 before 10. */
export const byName = NAMES.compare;

/** Up to two letters that stand for a name. */
export function initials(name: string): string {
  const words = plain(name).trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0] ?? '?'];
  return letters.map((word) => [...(word ?? '?')][0]?.toUpperCase() ?? '?').join('');
}

/** A stable number from 0 below `size` for a text. */
export function bucket(text: string, size: number): number {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash % size;
}

/** The project of an item key: what stands before the last hyphen. */
export function projectOf(itemKey: string): string {
  return itemKey.slice(0, itemKey.lastIndexOf('-'));
}

/** Letters that have no other form without their stroke or ligature. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
};

/** A text with the letters that its accented ones come from: `Größe` is `Grosse`. */
export function unaccented(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return letters.replace(/[^\p{ASCII}]/gu, (letter) => PLAIN[letter] ?? letter);
}

/** A lower-case address part out of a name. */
export function slugOf(name: string): string {
  return unaccented(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}

/** A project key out of a name. */
export function keyOf(name: string): string {
  const words = unaccented(name)
    .toUpperCase()
    .replace(/[^A-Z0-9 ]/g, '')
    .trim()
    .split(/\s+/);
  const letters = words.length > 1 ? words.map((word) => word[0]).join('') : (words[0] ?? '').slice(0, 4);
  return letters.replace(/^[^A-Z]+/, '').slice(0, 10);
}
