import { lazy, Suspense, useRef, useState } from 'react';
import { isComposing } from '@/lib/composing';
import { Button } from './Button';
import type { Caret, MarkdownEditorProps } from './editor/props';
import styles from './MarkdownEditor.module.css';
import { t } from './strings';

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
        <div className={styles.editor}>
          <div className={styles.toolbar} />
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
              if (isComposing(event.nativeEvent)) return;
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit?.();
              if (event.key === 'Escape' && onCancel) {
                event.stopPropagation();
                onCancel();
              }
            }}
          />
        </div>
      }
    >
      <CodeMirrorHost {...props} caret={caret} />
    </Suspense>
  );
}
