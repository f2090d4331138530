/** Markdown written for the person: marks around words, beginnings of lines, links. Each is one step to undo. */
import { EditorSelection, type EditorState, type Line, type TransactionSpec } from '@codemirror/state';

export type Format = (state: EditorState) => TransactionSpec;

/** Puts a mark around what is selected, or around the word at the cursor; or takes it away. */
export const marked =
  (mark: string): Format =>
  (state) => ({
    ...state.changeByRange((range) => {
      const word = range.empty ? state.wordAt(range.head) : undefined;
      const { from, to } = word ?? range;
      const size = mark.length;
      const text = state.sliceDoc(from, to);
      const around = state.sliceDoc(from - size, from) === mark && state.sliceDoc(to, to + size) === mark;
      // Two of a mark are another one: `**` is not `*` twice.
      const longer = size === 1 && state.sliceDoc(from - 2, from) === mark + mark;
      if (around && !longer) {
        const changes = [
          { from: from - size, to: from },
          { from: to, to: to + size },
        ];
        return { changes, range: EditorSelection.range(range.anchor - size, range.head - size) };
      }
      if (text.length > 2 * size && text.startsWith(mark) && text.endsWith(mark)) {
        const changes = { from, to, insert: text.slice(size, -size) };
        return { changes, range: EditorSelection.range(from, to - 2 * size) };
      }
      const changes = [
        { from, insert: mark },
        { from: to, insert: mark },
      ];
      return { changes, range: EditorSelection.range(range.anchor + size, range.head + size) };
    }),
    scrollIntoView: true,
    userEvent: 'input',
  });

const PREFIX = /^(\s*)((?:#{1,6} )|(?:[-*+] \[[ xX]\] )|(?:[-*+] )|(?:\d+[.)] )|(?:> ))?/;

/** Begins the selected lines with something, in place of how they began; or takes it away where all begin so. */
export const begun =
  (prefix: (at: number) => string): Format =>
  (state) => {
    const lines = selectedLines(state);
    const plain = (text: string) => text.replace(/\d+/, '1');
    const has = ({ text }: Line, at: number) => plain(PREFIX.exec(text)?.[2] ?? '') === plain(prefix(at));
    const all = lines.every(has);
    const changes = lines.map((line, at) => {
      const [, indent = '', old = ''] = PREFIX.exec(line.text) ?? [];
      const from = line.from + indent.length;
      return { from, to: from + old.length, insert: all ? '' : prefix(at) };
    });
    const set = state.changes(changes);
    return {
      changes: set,
      // After what was put in, where the cursor was at the beginning.
      selection: state.selection.map(set, 1),
      scrollIntoView: true,
      userEvent: 'input',
    };
  };

function selectedLines(state: EditorState): Line[] {
  const { from, to } = state.selection.main;
  const lines: Line[] = [];
  for (let at = state.doc.lineAt(from); ; at = state.doc.line(at.number + 1)) {
    lines.push(at);
    if (at.to >= to || at.number === state.doc.lines) return lines;
  }
}

/** Fences around the selected lines. */
export const fenced: Format = (state) => {
  const lines = selectedLines(state);
  const from = lines[0]?.from ?? 0;
  const to = lines.at(-1)?.to ?? from;
  return {
    changes: [
      { from, insert: '```\n' },
      { from: to, insert: '\n```' },
    ],
    selection: EditorSelection.range(from + 4, to + 4),
    scrollIntoView: true,
    userEvent: 'input',
  };
};

/** A text on lines of its own, of which a part is selected, or with the cursor at its end. */
export const block =
  (text: string, part = ''): Format =>
  (state) => {
    const line = state.doc.lineAt(state.selection.main.head);
    const before = line.text.trim() === '' ? '' : '\n\n';
    const from = before === '' ? line.from : line.to;
    const at = from + before.length + (part ? text.indexOf(part) : text.length);
    return {
      changes: { from, to: line.to, insert: before + text },
      selection: EditorSelection.range(at, at + part.length),
      scrollIntoView: true,
      userEvent: 'input',
    };
  };

export const TABLE = '| Column | Column |\n| --- | --- |\n|  |  |';

const ADDRESS = /^https?:\/\/\S+$/;

/** A link of what is selected; the part that is missing is selected then. */
export const linked: Format = (state) => {
  const { main } = state.selection;
  const { from, to } = (main.empty ? state.wordAt(main.head) : undefined) ?? main;
  const text = state.sliceDoc(from, to);
  const isAddress = ADDRESS.test(text);
  const insert = isAddress ? `[](${text})` : `[${text}](https://)`;
  const url = from + text.length + 3;
  const selection =
    isAddress || text === ''
      ? EditorSelection.cursor(from + 1)
      : EditorSelection.range(url, url + 'https://'.length);
  return { changes: { from, to, insert }, selection, scrollIntoView: true, userEvent: 'input' };
};

/** An image at the cursor or before it on its line: what it shows, and its width after a bar. */
const IMAGE = /!\[([^\]\n]*?)(?:\|\d+)?\](?=\()/g;

/** Gives an image a width in pixels, or its own again. */
export const sized =
  (width: number | undefined): Format =>
  (state) => {
    const { head } = state.selection.main;
    const line = state.doc.lineAt(head);
    const above = state.doc.line(Math.max(1, line.number - 1));
    const images = [above, line].flatMap(({ text, from }) =>
      [...text.matchAll(IMAGE)].map((match) => ({ match, from: from + match.index })),
    );
    const image = images.findLast(({ from }) => from <= head) ?? images[0];
    if (!image) return {};
    const insert = `![${image.match[1]}${width === undefined ? '' : `|${width}`}]`;
    const changes = { from: image.from, to: image.from + image.match[0].length, insert };
    return { changes, scrollIntoView: true, userEvent: 'input' };
  };

/** An address that is pasted over words becomes their link; nothing where it is to be pasted as it is. */
export function pasted(state: EditorState, text: string): TransactionSpec | undefined {
  const { main } = state.selection;
  const words = state.sliceDoc(main.from, main.to);
  const address = text.trim();
  if (main.empty || !ADDRESS.test(address) || ADDRESS.test(words) || words.includes('\n')) return undefined;
  const insert = `[${words}](${address.replaceAll(')', '%29')})`;
  return {
    changes: { from: main.from, to: main.to, insert },
    selection: EditorSelection.cursor(main.from + insert.length),
    userEvent: 'input.paste',
  };
}
