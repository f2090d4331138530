/** CodeMirror as this app uses it: Markdown, history, completion of items and people, files by paste and drop. */
import { completionKeymap, startCompletion } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownKeymap } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { flushSync } from 'react-dom';
import { MARKS } from './actions';
import { completion } from './completion';
import { DRAWN_LOOK, drawn } from './drawn';
import { Echo } from './echo';
import { type Format, pasted } from './format';
import type { MarkdownEditorProps } from './props';
import { TABLE_KEYS } from './tables';

interface Editor {
  /** Takes a text that comes from elsewhere, such as a draft that was given back. */
  update(text: string): void;
  /** Selects a part of the text, or puts the cursor where both ends are one. */
  select(range: { anchor: number; head: number }): void;
  focus(): void;
  /** Formats what is selected, and goes on with the text. */
  format(format: Format): void;
  /** Begins a mention or a link to an item. */
  write(sign: '@' | '#'): void;
  /** Takes files in at the cursor. */
  take(files: readonly File[]): void;
  destroy(): void;
}

type Latest = { readonly current: MarkdownEditorProps };

const COLORS = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, color: 'var(--accent-text)' },
  { tag: tags.url, color: 'var(--accent-text)' },
  { tag: tags.monospace, fontFamily: 'var(--mono)', fontSize: '0.875em' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.list], color: 'var(--text-3)' },
  { tag: tags.quote, color: 'var(--text-2)' },
]);

const LOOK = EditorView.theme({
  '&': { color: 'var(--text)', font: 'var(--type-14)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', lineHeight: '1.375rem', maxHeight: '60vh', overflow: 'auto' },
  '.cm-content': { padding: '0.5rem 0.75rem', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--selected)',
  },
  '.cm-tooltip': {
    border: 'none',
    borderRadius: '0.5rem',
    background: 'var(--surface)',
    boxShadow: 'var(--shadow-pop)',
    overflow: 'hidden',
    zIndex: '60',
  },
  // Twice the class: what comes with the editor names it twice, too.
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    minWidth: '15rem',
    maxWidth: 'min(28rem, 90vw)',
    maxHeight: '25rem',
    padding: '0.25rem',
    font: 'var(--type-13)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    gap: '0.5rem',
    minHeight: '2rem',
    padding: '0.25rem 0.5rem',
    borderRadius: '0.375rem',
    lineHeight: '1.25rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--hover)',
    color: 'var(--text)',
  },
  '@media (pointer: coarse)': {
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { minHeight: '2.75rem' },
  },
  '.cm-completionLabel': { flex: 'none', color: 'var(--text)' },
  '.cm-completionDetail': {
    minWidth: '0',
    margin: '0',
    overflow: 'hidden',
    color: 'var(--text-3)',
    fontStyle: 'normal',
    textOverflow: 'ellipsis',
  },
  '.glyph': {
    flex: 'none',
    display: 'inline-grid',
    placeItems: 'center',
    width: '1.25rem',
    height: '1.25rem',
    font: '600 0.5625rem / 1 var(--font)',
  },
  '.person': { borderRadius: '50%', background: 'var(--accent-soft)', color: 'var(--accent-text)' },
  '.agent': { borderRadius: '28%', background: 'var(--agent-soft)', color: 'var(--agent)' },
  '.sign': {
    border: '1px solid var(--line)',
    borderRadius: '0.25rem',
    fontSize: '0.6875rem',
    color: 'var(--text-2)',
  },
  '.state': {
    width: '0.75rem',
    height: '0.75rem',
    margin: '0.25rem',
    border: '1.5px solid',
    borderRadius: '50%',
  },
  '.backlog': { borderStyle: 'dashed', color: 'var(--text-3)' },
  '.active': {
    color: 'var(--warn)',
    backgroundImage: 'linear-gradient(to right, transparent 50%, currentColor 50%)',
  },
  '.resolved': { color: 'var(--ok)' },
  '.closed': { color: 'var(--ok)', background: 'currentColor' },
});

export function makeEditor(root: ShadowRoot, latest: Latest): Editor {
  const { value, label, rows = 4 } = latest.current;
  const echo = new Echo(value);
  let taking = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: value,
      selection: { anchor: value.length },
      extensions: [
        Prec.highest(keymap.of([submitKey(latest), ...formatKeys()])),
        Prec.low(keymap.of([cancelKey(latest)])),
        keymap.of([
          ...completionKeymap,
          ...TABLE_KEYS,
          ...markdownKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        history(),
        markdown(),
        syntaxHighlighting(COLORS),
        completion(latest),
        drawn(latest),
        DRAWN_LOOK,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label,
          spellcheck: 'true',
          autocapitalize: 'sentences',
        }),
        placeholder(latest.current.placeholder ?? ''),
        LOOK,
        EditorView.theme({ '.cm-content': { minHeight: `${rows * 1.375 + 1}rem` } }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || taking) return;
          const text = update.state.doc.toString();
          echo.told(text);
          latest.current.onChange(text);
        }),
        EditorView.domEventHandlers({
          paste: (event, editor) => {
            if (!hasText(event.clipboardData)) return take(filesOf(event.clipboardData), editor, latest);
            const link = pasted(editor.state, event.clipboardData?.getData('text/plain') ?? '');
            if (link) editor.dispatch(link);
            return link !== undefined;
          },
          drop: (event, editor) => take(filesOf(event.dataTransfer), editor, latest),
        }),
      ],
    }),
  });
  return {
    update(text) {
      if (echo.of(text)) return;
      const held = view.state.doc.toString();
      if (text === held) return;
      taking = true;
      view.dispatch({ changes: { from: 0, to: held.length, insert: text } });
      taking = false;
    },
    select({ anchor, head }) {
      const end = view.state.doc.length;
      view.dispatch({ selection: { anchor: Math.min(anchor, end), head: Math.min(head, end) } });
    },
    focus: () => view.focus(),
    format(format) {
      view.dispatch(view.state.update(format(view.state)));
      view.focus();
    },
    write(sign) {
      const { from } = view.state.selection.main;
      const before = view.state.sliceDoc(from - 1, from);
      const text = before === '' || /\s/.test(before) ? sign : ` ${sign}`;
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
      startCompletion(view);
    },
    take: (files) => void take(files, view, latest),
    destroy: () => view.destroy(),
  };
}

/** Ctrl/⌘ with B, I, E and K. The keys are the editor's: outside of it, Ctrl/⌘ K opens the palette. */
function formatKeys() {
  return MARKS.flatMap(({ keys, format }) => {
    if (!keys) return [];
    const run = (view: EditorView) => {
      view.dispatch(view.state.update(format(view.state)));
      return true;
    };
    return [{ key: keys.replace('mod+', 'Mod-'), run, preventDefault: true, stopPropagation: true }];
  });
}

function submitKey(latest: Latest) {
  const run = (view: EditorView) => {
    // A text that a completion wrote just now may not be the form's yet: without it, the form sends the one before.
    flushSync(() => latest.current.onChange(view.state.doc.toString()));
    latest.current.onSubmit?.();
    return latest.current.onSubmit !== undefined;
  };
  return { key: 'Mod-Enter', run };
}

/** Escape closes a completion first, then the editor. */
function cancelKey(latest: Latest) {
  const run = () => {
    latest.current.onCancel?.();
    return latest.current.onCancel !== undefined;
  };
  return { key: 'Escape', run, stopPropagation: true };
}

/**
 * Whether what was copied is a text. Spreadsheets and word processors put a picture of it beside it; file managers put
 * the names of files beside them, and those are no text.
 */
function hasText(transfer: DataTransfer | null): boolean {
  const names = [...(transfer?.files ?? [])].map((file) => file.name);
  const lines = (transfer?.getData('text/plain') ?? '').split(/[\r\n]+/).filter((line) => line.trim());
  return lines.some((line) => !names.some((name) => line.endsWith(name)));
}

function filesOf(transfer: DataTransfer | null): File[] {
  return [...(transfer?.files ?? [])];
}

/** Puts files that were pasted or dropped where the cursor is, as links to the uploaded copies. */
function take(files: readonly File[], view: EditorView, latest: Latest): boolean {
  const { onFile } = latest.current;
  if (files.length === 0 || !onFile) return false;
  const between = files.length > 1 ? '\n' : '';
  for (const file of files) {
    void onFile(file).then((link) => {
      if (link) view.dispatch(view.state.replaceSelection(link + between));
    });
  }
  return true;
}
