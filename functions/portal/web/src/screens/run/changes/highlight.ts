/**
 * Colours for code, a line at a time: comments, strings, numbers and keywords of the languages that projects are mostly
 * written in. It knows no grammar, so it is small and quick; what it does not know stays as it is.
 */
export interface Piece {
  kind: 'comment' | 'string' | 'number' | 'keyword' | undefined;
  text: string;
}

/** Lines longer than this are not worth the time. */
const LONGEST = 1_000;

const WORDS = {
  c: 'auto break case catch class const constexpr continue default delete do else enum export extends final finally for friend if implements import inline interface namespace new operator override package private protected public return sealed static struct super switch template this throw throws try typedef union using virtual void volatile while bool boolean byte char double float int long short string unsigned signed var val fun object when true false null nil nullptr async await',
  js: 'abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while yield',
  rust: 'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while',
  go: 'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false',
  python:
    'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield match case',
  ruby: 'alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require',
  shell:
    'if then else elif fi for in do done while until case esac function return export local readonly exit set unset trap source echo cd',
  sql: 'select from where and or not insert into values update set delete create table alter drop index join left right inner outer on as group by order limit offset having distinct union null primary key references default unique with case when then else end',
  data: 'true false null yes no on off',
} as const;

type Family = keyof typeof WORDS;

const FAMILIES: Record<string, Family> = {
  ...of('js', 'js jsx ts tsx mjs cjs vue svelte'),
  ...of('rust', 'rs'),
  ...of('go', 'go'),
  ...of('python', 'py pyi bzl star'),
  ...of('ruby', 'rb rake gemspec'),
  ...of('shell', 'sh bash zsh fish mk makefile dockerfile justfile'),
  ...of('sql', 'sql'),
  ...of('data', 'json yaml yml toml ini conf cfg properties lock'),
  ...of('c', 'c h cc cpp hpp cs java kt kts swift scala php dart proto gradle css scss less m'),
};

function of(family: Family, endings: string): Record<string, Family> {
  return Object.fromEntries(endings.split(' ').map((ending) => [ending, family]));
}

const HASH: readonly Family[] = ['python', 'ruby', 'shell', 'data'];
const rules = new Map<Family, RegExp>();

/** The pattern of a family: comments, strings, numbers and keywords, each in a group of its own. */
function ruleOf(family: Family): RegExp {
  const known = rules.get(family);
  if (known) return known;
  const comment = HASH.includes(family)
    ? '(?<=^|\\s)#.*'
    : family === 'sql'
      ? '--.*|/\\*.*?(?:\\*/|$)'
      : '//.*|/\\*.*?(?:\\*/|$)|^\\s*\\*(?=[\\s/]).*';
  const quotes = family === 'rust' ? '"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)\'' : STRINGS;
  const words = WORDS[family].split(' ').join('|');
  const flags = family === 'sql' ? 'gi' : 'g';
  const rule = new RegExp(
    `(${comment})|(${quotes})|((?<![\\w.])\\d[\\w.]*)|((?<![\\w.$-])(?:${words})(?![\\w$-]))`,
    flags,
  );
  rules.set(family, rule);
  return rule;
}

const STRINGS = '"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|`(?:[^`\\\\]|\\\\.)*`';
const KINDS = ['comment', 'string', 'number', 'keyword'] as const;

/** How lines of a file are coloured, by the ending of its name; nothing for one that is not known. */
export function colouringOf(path: string): ((text: string) => Piece[]) | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const family = FAMILIES[name.slice(name.lastIndexOf('.') + 1)];
  if (!family) return undefined;
  const rule = ruleOf(family);
  return (text) => piecesOf(text, rule);
}

function piecesOf(text: string, rule: RegExp): Piece[] {
  if (text.length > LONGEST) return [{ kind: undefined, text }];
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(rule)) {
    if (match.index > at) pieces.push({ kind: undefined, text: text.slice(at, match.index) });
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)];
    pieces.push({ kind, text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ kind: undefined, text: text.slice(at) });
  return pieces;
}
