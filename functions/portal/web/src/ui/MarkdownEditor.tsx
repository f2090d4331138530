import { lazy, Suspense } from 'react';
import styles from './MarkdownEditor.module.css';

export interface Suggestion {
  label: string;
  /** What is written. */
  apply: string;
  detail?: string;
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
  /** Files that were pasted or dropped. Answers the Markdown to put in their place. */
  onFiles?: ((files: File[]) => Promise<string>) | undefined;
  /** Items for `#` and people for `@`. */
  suggest?: ((kind: '#' | '@', query: string) => Promise<Suggestion[]> | Suggestion[]) | undefined;
  rows?: number;
}

const CodeMirrorHost = lazy(() => import('./editor/CodeMirrorHost'));

/** Loads the editor before it is needed. */
export function prepareEditor(): void {
  void import('./editor/CodeMirrorHost');
}

/** The Markdown editor. Until its code is there, a plain field holds the text and takes what is typed. */
export function MarkdownEditor(props: MarkdownEditorProps) {
  const { label, value, onChange, placeholder, rows = 4, autoFocus } = props;
  return (
    <Suspense
      fallback={
        <textarea
          aria-label={label}
          className={styles.plain}
          rows={rows}
          placeholder={placeholder}
          autoFocus={autoFocus}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      }
    >
      <CodeMirrorHost {...props} />
    </Suspense>
  );
}
