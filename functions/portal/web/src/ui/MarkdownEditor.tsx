import { lazy, type RefObject, Suspense, useRef, useState } from 'react';
import { Button } from './Button';
import styles from './MarkdownEditor.module.css';
import { t } from './strings';

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
  /** Makes HTML of the text, which is shown on demand. */
  render?: ((text: string) => Promise<string>) | undefined;
  /** Whom the text can mention, for its preview. */
  names?: readonly string[] | undefined;
}

/** Where the cursor of the plain field is while that has the focus. */
export type Caret = RefObject<number | undefined>;

const CodeMirrorHost = lazy(() => import('./editor/CodeMirrorHost'));
const Preview = lazy(() => import('./editor/Preview'));

/** Loads the editor before it is needed. */
export function prepareEditor(): void {
  void import('./editor/CodeMirrorHost');
}

/** The Markdown editor. With `render`, the text is shown as others will see it at the press of a button. */
export function MarkdownEditor({ render, names, ...props }: MarkdownEditorProps) {
  const [looking, setLooking] = useState(false);
  const { value } = props;
  if (!render) return <Editor {...props} />;
  return (
    <div className={styles.frame}>
      {looking ? (
        <Suspense>
          <Preview text={value} render={render} names={names} />
        </Suspense>
      ) : (
        <Editor {...props} />
      )}
      {(looking || value.trim() !== '') && (
        <Button size="small" kind="ghost" className={styles.toggle} onClick={() => setLooking(!looking)}>
          {t(looking ? 'write' : 'preview')}
        </Button>
      )}
    </div>
  );
}

/** Until the editor's code is there, a plain field holds the text and takes what is typed; its cursor goes over. */
function Editor(props: Omit<MarkdownEditorProps, 'render'>) {
  const { label, value, onChange, onSubmit, onCancel, placeholder, rows = 4, autoFocus } = props;
  const caret: Caret = useRef(undefined);
  const follow = ({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => {
    caret.current = currentTarget.selectionStart;
  };
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
          onFocus={(event) => {
            // Where the editor begins too.
            if (autoFocus && caret.current === undefined)
              event.target.setSelectionRange(value.length, value.length);
            follow(event);
          }}
          onSelect={follow}
          onBlur={({ relatedTarget }) => {
            if (relatedTarget) caret.current = undefined;
          }}
          onChange={(event) => {
            follow(event);
            onChange(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit?.();
            if (event.key === 'Escape' && onCancel) {
              event.stopPropagation();
              onCancel();
            }
          }}
        />
      }
    >
      <CodeMirrorHost {...props} caret={caret} />
    </Suspense>
  );
}
