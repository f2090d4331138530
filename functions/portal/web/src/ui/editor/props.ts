import type { RefObject } from 'react';
import type { StateGroup } from '@/api/types';

export interface Suggestion {
  label: string;
  /** What is written. */
  apply: string;
  detail?: string;
  /** What is drawn before it. */
  glyph?: { kind: 'person' | 'agent'; name: string } | { kind: 'state'; group: StateGroup };
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
  /** Items for `#` and people for `@`. */
  suggest?: ((kind: '#' | '@', query: string) => Suggestion[]) | undefined;
  rows?: number;
  /** Makes HTML of the text, which is shown on demand. */
  render?: ((text: string) => Promise<string>) | undefined;
  /** Whom the text can mention, for its preview. */
  names?: readonly string[] | undefined;
}

/** Where the cursor of the plain field is while that has the focus. */
export type Caret = RefObject<number | undefined>;
