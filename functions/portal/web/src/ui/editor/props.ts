import type { StateGroup } from '@/api/types';

export interface Suggestion {
  label: string;
  /** What is written. */
  apply: string;
  detail?: string;
  /** What is drawn before it. */
  glyph?:
    | { kind: 'person' | 'agent'; name: string }
    | { kind: 'state'; group: StateGroup }
    | { kind: 'page' };
}

/** What a completion begins with. */
export type Sign = '#' | '@' | '[[';

/** Whom and what a text can name, as far as it is here. */
export interface Known {
  people: readonly { kind: 'person' | 'agent'; name: string }[];
  item: (key: string) => { group: StateGroup; title: string } | undefined;
}

export interface MarkdownEditorProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  placeholder?: string | undefined;
  autoFocus?: boolean;
  /** Ctrl/⌘ Enter. */
  onSubmit?: (() => void) | undefined;
  onCancel?: (() => void) | undefined;
  /** A file that was pasted or dropped. Answers the Markdown to put in its place; nothing where there is none. */
  onFile?: ((file: File) => Promise<string>) | undefined;
  /** Items for `#`, people for `@`, pages for `[[`. */
  suggest?: ((kind: Sign, query: string) => Suggestion[]) | undefined;
  /** What is drawn as what it means while it is written. */
  known?: Known | undefined;
  rows?: number;
  /** Makes HTML of the text, which is shown on demand. */
  render?: ((text: string) => Promise<string>) | undefined;
  /** Whom the text can mention, for its preview. */
  names?: readonly string[] | undefined;
}

/** What the plain field was left with when it gave way to the editor. */
export interface Left {
  focused: boolean;
  anchor: number;
  head: number;
}
