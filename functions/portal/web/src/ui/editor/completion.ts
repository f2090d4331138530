/** Completion while one writes: items after `#`, people after `@`. */
import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import type { MarkdownEditorProps, Suggestion } from './props';

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

function complete(
  context: CompletionContext,
  latest: Latest,
): CompletionResult | Promise<CompletionResult> | null {
  const written = begun(context.state, context.pos);
  const { suggest } = latest.current;
  if (!written || !suggest) return null;
  const { from, text } = written;
  const offer = (options: Suggestion[]): CompletionResult => ({ from, options, filter: false });
  const found = suggest(text[0] as '#' | '@', text.slice(1));
  if (found instanceof Promise) return found.then(offer);
  // What is here is offered with the letter itself: a list that waits for an answer takes no press and no Enter.
  const update = (_: CompletionResult, _from: number, _to: number, later: CompletionContext) => {
    const next = complete(later, latest);
    return next instanceof Promise ? null : next;
  };
  return { ...offer(found), update };
}
