/** Completion while one writes: items after `#`, people after `@`, pages after `[[`, formats after `/` at the beginning of a line. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import { initials } from '@/lib/text';
import { type Action, BLOCKS, IMAGES, MARKS } from './actions';
import type { MarkdownEditorProps, Sign, Suggestion } from './props';

type Latest = { readonly current: MarkdownEditorProps };

/** A completion of this app, with what is drawn before it. */
type Drawn = Completion & Pick<Suggestion, 'glyph'> & { sign?: string };

export function completion(latest: Latest): Extension {
  return autocompletion({
    // One source for all signs: while a source is asked whether it has anything, the lists of others take no Enter.
    override: [(context) => complete(context, latest) ?? slash(context)],
    // What is chosen blindly, as soon as the list is there, is chosen.
    interactionDelay: 0,
    icons: false,
    addToOptions: [{ render: (option) => glyphOf(option as Drawn), position: 10 }],
  });
}

/** What is written before the cursor, from its sign. */
function begun(state: EditorState, position: number): { from: number; text: string } | undefined {
  const line = state.doc.lineAt(position);
  const found = /(?:^|[\s(])([#@][\p{L}\p{M}\p{N}_ .'’-]*|\[\[[^\]\n]*)$/u.exec(
    line.text.slice(0, position - line.from),
  );
  const text = found?.[1];
  return text === undefined ? undefined : { from: position - text.length, text };
}

function complete({ state, pos }: CompletionContext, latest: Latest): CompletionResult | null {
  const written = begun(state, pos);
  const { suggest } = latest.current;
  if (!written || !suggest) return null;
  const { from, text } = written;
  const sign = text.startsWith('[[') ? '[[' : (text[0] as Sign);
  const options = suggest(sign, text.slice(sign.length));
  // Offered with the letter itself: a list that waits for an answer takes no press and no Enter.
  return { from, options, filter: false, update: (_before, _from, _to, later) => complete(later, latest) };
}

/** A slash where a line begins, or a list's entry. */
const SLASH = /^(\s*(?:[-*+] (?:\[[ xX]\] )?|\d+[.)] |> )?)\/([a-z ]*)$/i;

/** The menu of formats. What was typed for it goes, and the format is put in its place. */
function slash({ state, pos }: CompletionContext): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  const written = SLASH.exec(line.text.slice(0, pos - line.from));
  if (!written) return null;
  const from = line.from + (written[1]?.length ?? 0);
  const wanted = (written[2] ?? '').toLowerCase();
  // Marks have keys of their own and images are seldom: they are found by name.
  const options = (wanted ? [...BLOCKS, ...MARKS, ...IMAGES] : BLOCKS)
    .filter(({ label, words }) => `${label} ${words ?? ''}`.toLowerCase().includes(wanted))
    .map(optionOf);
  return { from, options, filter: false, update: (_before, _from, _to, later) => slash(later) };
}

function optionOf({ label, format, sign }: Action): Drawn {
  return {
    label,
    sign,
    apply: (view, _option, from, to) => {
      view.dispatch({ changes: { from, to }, userEvent: 'input.complete' });
      view.dispatch(view.state.update(format(view.state)));
    },
  };
}

/** People are circles with their letters, agents squares, states their shapes, formats their signs. */
function glyphOf({ glyph, sign }: Drawn): Node {
  const drawn = document.createElement('span');
  drawn.setAttribute('aria-hidden', 'true');
  const page = glyph?.kind === 'page';
  drawn.className = `glyph ${glyph && !page ? glyph.kind : 'sign'}`;
  if (page) drawn.textContent = '¶';
  else if (glyph?.kind === 'state') drawn.classList.add(glyph.group);
  else drawn.textContent = glyph ? initials(glyph.name) : (sign ?? '');
  return drawn;
}
