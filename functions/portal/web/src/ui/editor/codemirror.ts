/** CodeMirror as this app uses it: Markdown, history, completion of items and people, files by paste and drop. */
import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownKeymap } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { completion } from './completion';
import { Echo } from './echo';
import type { MarkdownEditorProps } from './props';

interface Editor {
  /** Takes a text that comes from elsewhere, such as a draft that was given back. */
  update(text: string): void;
  /** Takes the focus, with the cursor at a place in the text where one is named. */
  focus(at?: number): void;
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
  '.cm-tooltip-autocomplete > ul': { font: 'var(--type-13)', maxHeight: '14rem', padding: '0.25rem' },
  '.cm-tooltip-autocomplete > ul > li': {
    padding: '0.25rem 0.5rem',
    borderRadius: '0.375rem',
    lineHeight: '1.25rem',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { background: 'var(--hover)', color: 'var(--text)' },
  '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal', marginInlineStart: '0.5rem' },
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
        Prec.highest(keymap.of([submitKey(latest)])),
        Prec.low(keymap.of([cancelKey(latest)])),
        keymap.of([...completionKeymap, ...markdownKeymap, ...historyKeymap, ...defaultKeymap]),
        history(),
        markdown(),
        syntaxHighlighting(COLORS),
        completion(latest),
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
          paste: (event, editor) =>
            !hasText(event.clipboardData) && take(event.clipboardData, editor, latest),
          drop: (event, editor) => take(event.dataTransfer, editor, latest),
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
    focus(at) {
      if (at !== undefined) view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) } });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

function submitKey(latest: Latest) {
  const run = () => {
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

/** Puts files that were pasted or dropped where the cursor is, as links to the uploaded copies. */
function take(transfer: DataTransfer | null, view: EditorView, latest: Latest): boolean {
  const files = [...(transfer?.files ?? [])];
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
