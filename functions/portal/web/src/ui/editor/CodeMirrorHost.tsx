import { useLayoutEffect, useRef } from 'react';
import styles from '../MarkdownEditor.module.css';
import { makeEditor } from './codemirror';
import type { Caret, MarkdownEditorProps } from './props';
import { Toolbar } from './Toolbar';

/** CodeMirror in a shadow root, where its style sheets are adopted and not written into the page. */
export default function CodeMirrorHost({ caret, ...props }: MarkdownEditorProps & { caret: Caret }) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const view = useRef<ReturnType<typeof makeEditor>>(undefined);
  // With the commit and not after it: nothing is typed between the two.
  useLayoutEffect(() => {
    latest.current = props;
    view.current?.update(props.value);
  });
  // Before the browser paints: what is typed while the plain field gives way goes to the editor.
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open', delegatesFocus: true });
    const editor = makeEditor(root, latest);
    view.current = editor;
    if (latest.current.autoFocus || caret.current !== undefined) editor.focus(caret.current);
    return () => {
      editor.destroy();
      view.current = undefined;
    };
  }, [caret]);
  const { suggest, onFile } = props;
  return (
    <div className={styles.editor}>
      <Toolbar
        onFormat={(format) => view.current?.format(format)}
        onWrite={suggest && ((sign) => view.current?.write(sign))}
        onFiles={onFile && ((files) => view.current?.take(files))}
      />
      <div ref={host} className={styles.host} data-editor />
    </div>
  );
}
