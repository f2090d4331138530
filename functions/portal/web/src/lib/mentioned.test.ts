import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mentionsIn, showMentions } from './mentioned';

interface Vectors {
  names: string[];
  cases: [string, [string, string][]][];
}

const FILE = `${process.cwd()}/../../../shared/domain/src/mention/vectors.json`;
const vectors: Vectors = JSON.parse(readFileSync(FILE, 'utf8'));

it('reads mentions as the service does', () => {
  for (const [text, expected] of vectors.cases) {
    const found = mentionsIn(text, vectors.names);
    expect(
      found.map(({ from, to, name }) => [text.slice(from, to), name]),
      text,
    ).toEqual(expected);
  }
  expect(mentionsIn('@bo @', ['', ' '])).toEqual([]);
  expect(mentionsIn('@Ada\nLovelace', vectors.names)[0]?.name).toBe('Ada Lovelace');
  expect(mentionsIn('@Ada\n\nLovelace', vectors.names)[0]?.name).toBe('Ada');
});

const page = (html: string) => {
  const root = document.createElement('div');
  root.innerHTML = html.replaceAll(/@\w+|@[^\s<,]+/g, (mark) => `<span class="mention">${mark}</span>`);
  const text = root.textContent;
  return (names: readonly string[]) => {
    showMentions(root, names);
    expect(root.textContent).toBe(text);
    return [...root.querySelectorAll('.mention')].map((mark) => mark.textContent);
  };
};

it('shows a mark as a mention once the names are known, as far as the name reaches', () => {
  const shown = page('<p>@Bo and @nobody and @Ada Lovelace, @Ada <em>alone</em></p>');
  expect(shown([])).toEqual([]);
  expect(shown(['Ada Lovelace', 'Bo'])).toEqual(['@Bo', '@Ada Lovelace']);
  expect(shown(['Ada', 'Bo'])).toEqual(['@Bo', '@Ada', '@Ada']);
  expect(shown([])).toEqual([]);
});

it('shows names of scripts without spaces, and no part of a word', () => {
  expect(page('<p>お願い@田中さん</p>')(['田中'])).toEqual(['@田中']);
  expect(page('<p>x<em>@Bo</em> é@Bo <code>x</code>@Bo<br>@Bo</p><p>@Bo</p>')(['Bo'])).toEqual([
    '@Bo',
    '@Bo',
    '@Bo',
  ]);
});
