/** Completion while one writes: items after `#`, people after `@`. */
import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import type { MarkdownEditorProps } from './props';

type Latest = { readonly current: MarkdownEditorProps };

export function completion(latest: Latest): Extension {
  return autocompletion({ override: [(context) => complete(context, latest)], icons: false });
}

/** What is written before the cursor, from its `#` or `@`. */
function begun(state: EditorState, position: number): { from: number; text: string } | undefined {
  const line = state.doc.lineAt(position);
  const found = /(?:^|[\s(])([#@][\w .-]*)$/.exec(line.text.slice(0, position - line.from));
  const text = found?.[1];
  return text === undefined ? undefined : { from: position - text.length, text };
}

function complete({ state, pos }: CompletionContext, latest: Latest): CompletionResult | null {
  const written = begun(state, pos);
  const { suggest } = latest.current;
  if (!written || !suggest) return null;
  const { from, text } = written;
  const options = suggest(text[0] as '#' | '@', text.slice(1));
  // Offered with the letter itself: a list that waits for an answer takes no press and no Enter.
  return { from, options, filter: false, update: (_before, _from, _to, later) => complete(later, latest) };
}
