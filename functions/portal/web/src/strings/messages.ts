/**
 * Catalogues of what people read. Each screen and component has its own, in a `strings.ts` beside it:
 *
 * ```ts
 * export const t = messages({ moved: '{key} moved to {state}', picked: '{n, plural, one {# item} other {# items}}' });
 * t('moved', { key: 'DEMO-7', state: 'Resolved' });
 * ```
 *
 * Texts are written in the part of ICU's message format that they need: `{name}`, `plural` (with `=0`, `one`,
 * `other` and `#`) and `select`. The pseudo-locale (`?pseudo` in the address) lengthens and marks every text, so that
 * what is not in a catalogue, and what does not fit, shows.
 */

export type Values = Record<string, string | number>;

type Part = string | { name: string; kind?: 'plural' | 'select'; choices?: Record<string, Part[]> };

const LOCALE = 'en';
const plurals = new Intl.PluralRules(LOCALE);
const numbers = new Intl.NumberFormat(LOCALE);

/** A catalogue: a function from a key, and the values that its text names, to the text. */
export function messages<Key extends string>(
  texts: Record<Key, string>,
): (key: Key, values?: Values) => string {
  const parsed = new Map<Key, Part[]>();
  return (key, values = {}) => {
    const parts = parsed.get(key) ?? parse(texts[key]);
    parsed.set(key, parts);
    const text = print(parts, values);
    return pseudo ? pseudonym(text) : text;
  };
}

/** Whether texts are shown in the pseudo-locale. */
const pseudo = typeof location !== 'undefined' && pseudoAsked();

function pseudoAsked(): boolean {
  try {
    if (new URLSearchParams(location.search).has('pseudo')) sessionStorage.setItem('svc.pseudo', '1');
    return sessionStorage.getItem('svc.pseudo') === '1';
  } catch {
    return false;
  }
}

function pseudonym(text: string): string {
  const accented = text.replace(
    /[aeiouAEIOU]/g,
    (vowel) => 'àéîõûÀÉÎÕÛ'['aeiouAEIOU'.indexOf(vowel)] ?? vowel,
  );
  return `⟦${accented}${'·'.repeat(Math.ceil(text.length * 0.35))}⟧`;
}

function print(parts: readonly Part[], values: Values, count?: number): string {
  return parts.map((part) => printOne(part, values, count)).join('');
}

function printOne(part: Part, values: Values, count?: number): string {
  if (typeof part === 'string')
    return count === undefined ? part : part.replaceAll('#', numbers.format(count));
  const value = values[part.name];
  if (!part.choices) return typeof value === 'number' ? numbers.format(value) : String(value ?? '');
  const number = Number(value);
  const plural = part.kind === 'plural';
  const chosen = plural
    ? (part.choices[`=${number}`] ?? part.choices[plurals.select(number)])
    : part.choices[String(value)];
  return print(chosen ?? part.choices.other ?? [], values, plural ? number : count);
}

/** Reads a text. Exported for its tests. */
export function parse(text: string): Part[] {
  const reader = { text, at: 0 };
  const parts = parts_(reader);
  if (reader.at < text.length) throw new Error(`Unbalanced braces in the message "${text}".`);
  return parts;
}

interface Reader {
  text: string;
  at: number;
}

function parts_(reader: Reader): Part[] {
  const parts: Part[] = [];
  let plain = '';
  while (reader.at < reader.text.length && reader.text[reader.at] !== '}') {
    if (reader.text[reader.at] === '{') {
      if (plain) parts.push(plain);
      plain = '';
      parts.push(placeholder(reader));
    } else {
      plain += reader.text[reader.at++];
    }
  }
  if (plain) parts.push(plain);
  return parts;
}

function placeholder(reader: Reader): Part {
  reader.at++;
  const name = word(reader);
  if (reader.text[reader.at] === '}') {
    reader.at++;
    return { name };
  }
  reader.at++;
  const kind = word(reader) as 'plural' | 'select';
  reader.at++;
  const choices: Record<string, Part[]> = {};
  for (let key = word(reader); key; key = word(reader)) {
    reader.at++;
    choices[key] = parts_(reader);
    reader.at++;
  }
  reader.at++;
  return { name, kind, choices };
}

function word(reader: Reader): string {
  const match = /^\s*([=\w]*)\s*/.exec(reader.text.slice(reader.at));
  reader.at += match?.[0].length ?? 0;
  return match?.[1] ?? '';
}
