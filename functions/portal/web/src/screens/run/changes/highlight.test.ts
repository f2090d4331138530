import { expect, it } from 'vitest';
import { colouringOf } from './highlight';

const shown = (path: string, text: string) =>
  colouringOf(path)?.(text)
    .filter(({ kind }) => kind)
    .map(({ kind, text }) => `${kind}:${text}`);

it('finds words, strings, numbers and comments of a language by its file name', () => {
  expect(shown('src/a.rs', 'let x = "fn"; // let')).toEqual(['keyword:let', 'string:"fn"', 'comment:// let']);
  expect(shown('a.py', 'return 42  # done')).toEqual(['keyword:return', 'number:42', 'comment:# done']);
  expect(shown('Makefile', 'if x#y')).toEqual(['keyword:if']);
  expect(shown('q.sql', "SELECT 'a' -- b")).toEqual(['keyword:SELECT', "string:'a'", 'comment:-- b']);
});

it('takes no part of a name for a word, and keeps all of the text', () => {
  expect(shown('a.ts', 'newest.forEach(let_)')).toEqual([]);
  const text = 'const a = `x`; /* y */ b';
  expect(
    colouringOf('a.ts')?.(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});

it('leaves alone what it does not know, and lines without end', () => {
  expect(colouringOf('notes.txt')).toBeUndefined();
  expect(shown('a.js', `"${'a'.repeat(2_000)}`)).toEqual([]);
});
