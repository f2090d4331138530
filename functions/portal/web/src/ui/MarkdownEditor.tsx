import { type RefObject, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { isComposing } from '@/lib/composing';
import { lazyPart, part, usePart } from '@/lib/parts';
import { Button } from './Button';
import type { Left, MarkdownEditorProps } from './editor/props';
import styles from './MarkdownEditor.module.css';
import { t } from './strings';

const codeMirror = part(() => import('./editor/CodeMirrorHost'));
const Preview = lazyPart(() => import('./editor/Preview'));

/** Loads the editor before it is needed. */
export function prepareEditor(): Promise<void> {
  return codeMirror.prepare();
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

type EditorProps = Omit<MarkdownEditorProps, 'render' | 'names'>;

/**
 * Until the editor's code is there, a plain field holds the text and takes what is typed. The change-over is one
 * synchronous step, so no key falls between the two; while an input method composes, the plain field stays.
 */
function Editor(props: EditorProps) {
  const CodeMirrorHost = usePart(codeMirror);
  const [composing, setComposing] = useState(false);
  const left = useRef<Left>(undefined);
  if (CodeMirrorHost && !composing) return <CodeMirrorHost {...props} left={left} />;
  return <PlainField {...props} left={left} onComposing={setComposing} />;
}

interface PlainFieldProps extends EditorProps {
  left: RefObject<Left | undefined>;
  onComposing: (composing: boolean) => void;
}

function PlainField({ left, onComposing, ...props }: PlainFieldProps) {
  const { label, value, onChange, onSubmit, onCancel, placeholder, rows = 4, autoFocus } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  // Where the editor begins too.
  const begin = useRef({ at: value.length, autoFocus });
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return undefined;
    const { at, autoFocus } = begin.current;
    if (autoFocus) element.setSelectionRange(at, at);
    // Read at the last moment: events tell of a cursor only some time after it was moved.
    return () => {
      const { selectionStart: start, selectionEnd: end, selectionDirection } = element;
      const [anchor, head] = selectionDirection === 'backward' ? [end, start] : [start, end];
      left.current = { focused: element === document.activeElement, anchor, head };
    };
  }, [left]);
  return (
    <div className={styles.editor}>
      <div className={styles.toolbar} />
      <textarea
        ref={field}
        aria-label={label}
        className={styles.plain}
        rows={rows}
        placeholder={placeholder}
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onCompositionStart={() => onComposing(true)}
        onCompositionEnd={() => onComposing(false)}
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
  );
}
