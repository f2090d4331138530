/**
 * Where a text mentions people and agents: where each mention begins, how long it is, and whom it means. The service reads
 * mentions alike: `shared/domain/src/mention/vectors.json` holds both to it. Pure, but for {@link showMentions}.
 */

/** A mention in a text: from its `@` on, and the name that it means. */
interface Mentioned {
  from: number;
  to: number;
  name: string;
}

/** Scripts that are written without spaces: their letters end a name, and may stand before an `@`. */
const DENSE =
  /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}]/u;
/** What belongs to the character before it: marks, the vowels and ends of Korean syllables, joiners. */
const JOINS = /^[\p{M}\u1160-\u11ff\u200c\u200d]$/u;
const IN_WORD = /^[\p{L}\p{N}]$/u;
/** The longest name that is looked for, in letters. */
const LONGEST = 200;

/** Letters that people also write as others, which Unicode does not know of. */
const SPELLED: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '‐': '-',
  '\u200c': '',
  '\u200d': '',
};

/** As search compares words: without case, accents and compatibility forms. */
function fold(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '');
  return [...plain].map((letter) => SPELLED[letter] ?? letter).join('');
}

const inWord = (letter: string | undefined) =>
  letter !== undefined && IN_WORD.test(letter) && !DENSE.test(letter);

/** Whether an `@` behind this is not part of a word or an address. */
function mayBegin(before: string): boolean {
  const last = [...before.slice(-40)].findLast((letter) => !JOINS.test(letter));
  return last === undefined || !(inWord(last) || '_-@/#.&='.includes(last));
}

/** Whether a name that ends before this ends there. */
function endsBefore(after: string): boolean {
  const [first, next] = after;
  if (first === '_' || inWord(first)) return false;
  return !(first !== undefined && '-.@'.includes(first) && inWord(next));
}

/** The ways to write each name, folded, the longest first. */
function waysOf(names: readonly string[]): { way: string; name: string }[] {
  const ways = names.flatMap((name) => {
    const words = name.split(/\s+/).filter(Boolean);
    const written = new Set(['-', '.', '', ' '].map((gap) => fold(words.join(gap))));
    return [...written].filter(Boolean).map((way) => ({ way, name }));
  });
  return ways.sort((a, b) => b.way.length - a.way.length);
}

/** How far the text is one of these ways, and whose. */
function longest(text: string, ways: readonly { way: string; name: string }[]) {
  let folded = '';
  const ends = new Map<number, number>();
  // A character and what joins it, or white space in a row but for an empty line.
  for (const { 0: unit, index } of text.matchAll(/\s+|[^\s][\p{M}\u1160-\u11ff\u200c\u200d]*/gu)) {
    if (/\n\s*\n/.test(unit) || folded.length > LONGEST) break;
    folded += /^\s/.test(unit) ? ' ' : fold(unit);
    ends.set(folded.length, index + unit.length);
  }
  for (const { way, name } of ways) {
    const end = folded.startsWith(way) ? ends.get(way.length) : undefined;
    if (end !== undefined && endsBefore(text.slice(end, end + 4))) return { end, name };
  }
  return undefined;
}

/** The mentions of a text without markup, in its order. */
export function mentionsIn(text: string, names: readonly string[]): Mentioned[] {
  const ways = waysOf(names);
  const found: Mentioned[] = [];
  for (const { index } of ways.length > 0 ? text.matchAll(/@/g) : []) {
    const at = mayBegin(text.slice(0, index)) ? longest(text.slice(index + 1), ways) : undefined;
    if (at) found.push({ from: index, to: index + 1 + at.end, name: at.name });
  }
  return found;
}

/** Shows of the marks of a rendered text those as mentions that name one of these people, as far as the name reaches. */
export function showMentions(root: Element, names: readonly string[]): void {
  for (const mark of root.querySelectorAll<HTMLElement>('span.mention, span[data-mark]')) {
    const written = mark.textContent ?? '';
    mark.dataset.mark ??= written;
    const next = mark.nextSibling instanceof Text ? mark.nextSibling : undefined;
    const here = written + (next?.data ?? '');
    const before = textBefore(mark);
    const all = before + here + textBehind(next ?? mark);
    const found = mentionsIn(all, names).find(({ from }) => from === before.length);
    const length = Math.min(found ? found.to - found.from : mark.dataset.mark.length, here.length);
    mark.classList.toggle('mention', found !== undefined);
    if (length === written.length) continue;
    mark.textContent = here.slice(0, length);
    if (next) next.data = here.slice(length);
    else mark.after(here.slice(length));
  }
}

/** What parts words on a page. */
const PARTS = /^(?:CODE|BR|P|LI|TD|TH|DIV|PRE|BLOCKQUOTE|H[1-6]|UL|OL|TABLE)$/;

function textBefore(node: Node): string {
  return beside(node, (at) => at.previousSibling);
}

function textBehind(node: Node): string {
  return beside(node, (at) => at.nextSibling);
}

/** The text on one side of a node, in the same line of words: what comes next to it, or next to what it stands in. */
function beside(node: Node, step: (at: Node) => Node | null): string {
  let at: Node | null = node;
  while (at && !step(at)) {
    at = at.parentNode;
    if (at && PARTS.test(at.nodeName)) return '';
  }
  const there = at && step(at);
  return !there || PARTS.test(there.nodeName) ? '' : (there.textContent ?? '');
}
