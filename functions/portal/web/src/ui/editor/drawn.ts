/**
 * Mentions and keys of items as they mean something: people as circles with their letters, agents as squares, items with
 * the shape of their state. Only drawn before the text, which stays what is written.
 */
import { syntaxTree } from '@codemirror/language';
import { type EditorState, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { mentionsIn } from '@/lib/mentioned';
import { initials } from '@/lib/text';
import type { Known, MarkdownEditorProps } from './props';

type Latest = { readonly current: MarkdownEditorProps };

interface Token {
  from: number;
  to: number;
  className: string;
  letters?: string;
  title?: string;
}

/** What stands for somebody or something in a text. Pure. */
export function tokensOf(text: string, { people, item }: Known): Token[] {
  const tokens: Token[] = [];
  const names = people.map(({ name }) => name);
  for (const { from, to, name } of mentionsIn(text, names)) {
    const escaped = /\\*$/.exec(text.slice(0, from))?.[0].length ?? 0;
    if (escaped % 2 === 1) continue;
    const kind = people.find((person) => person.name === name)?.kind ?? 'person';
    tokens.push({ from, to, className: `drawn drawn-${kind}`, letters: initials(name) });
  }
  for (const match of text.matchAll(/(?<![\w/-])[A-Z][A-Z0-9]{1,9}-[1-9]\d*(?![\w/-])/g)) {
    const found = item(match[0]);
    if (!found) continue;
    const to = match.index + match[0].length;
    const className = `drawn drawn-state drawn-${found.group}`;
    tokens.push({ from: match.index, to, className, title: found.title });
  }
  return tokens.sort((a, b) => a.from - b.from);
}

/** Draws what is in sight. */
export function drawn(latest: Latest) {
  const draw = (view: EditorView): DecorationSet => {
    const { known } = latest.current;
    const builder = new RangeSetBuilder<Decoration>();
    if (!known) return builder.finish();
    for (const { from, to } of view.visibleRanges) {
      const start = view.state.doc.lineAt(from).from;
      for (const token of tokensOf(view.state.sliceDoc(start, to), known)) {
        const at = start + token.from;
        if (isCode(view.state, at)) continue;
        const attributes = {
          ...(token.letters && { 'data-letters': token.letters }),
          ...(token.title && { title: token.title }),
        };
        builder.add(at, start + token.to, Decoration.mark({ class: token.className, attributes }));
      }
    }
    return builder.finish();
  };
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = draw(view);
      }
      update(update: ViewUpdate) {
        // Whom a text can mention may be known a moment later: each update looks again.
        if (update.docChanged || update.viewportChanged || update.focusChanged || update.selectionSet)
          this.decorations = draw(update.view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

function isCode(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, 1); node.parent; node = node.parent)
    if (/Code|URL|HTML/.test(node.name)) return true;
  return false;
}

export const DRAWN_LOOK = EditorView.theme({
  '.drawn': { color: 'var(--accent-text)' },
  '.drawn-agent': { color: 'var(--agent)' },
  '.drawn-state': { color: 'var(--text)' },
  '.drawn::before': {
    display: 'inline-grid',
    placeItems: 'center',
    boxSizing: 'border-box',
    marginInlineEnd: '0.25rem',
    verticalAlign: 'middle',
    position: 'relative',
    insetBlockStart: '-0.0625rem',
  },
  '.drawn-person::before, .drawn-agent::before': {
    content: 'attr(data-letters)',
    width: '1rem',
    height: '1rem',
    borderRadius: '50%',
    background: 'var(--accent-soft)',
    color: 'var(--accent-text)',
    font: '600 0.5rem / 1 var(--font)',
  },
  '.drawn-agent::before': {
    borderRadius: '28%',
    background: 'var(--agent-soft)',
    color: 'var(--agent)',
  },
  '.drawn-state::before': {
    content: '""',
    width: '0.75rem',
    height: '0.75rem',
    border: '1.5px solid',
    borderRadius: '50%',
  },
  '.drawn-backlog::before': { borderStyle: 'dashed', color: 'var(--text-3)' },
  '.drawn-active::before': {
    color: 'var(--warn)',
    backgroundImage: 'linear-gradient(to right, transparent 50%, currentColor 50%)',
  },
  '.drawn-resolved::before': { color: 'var(--ok)' },
  '.drawn-closed::before': { color: 'var(--ok)', background: 'currentColor' },
});
