import { type RefObject, useLayoutEffect, useRef } from 'react';
import styles from '../MarkdownEditor.module.css';
import { makeEditor } from './codemirror';
import type { Left, MarkdownEditorProps } from './props';
import { Toolbar } from './Toolbar';

interface HostProps extends MarkdownEditorProps {
  /** Empty where no plain field stood here before. */
  left: RefObject<Left | undefined>;
}

/** CodeMirror in a shadow root, where its style sheets are adopted and not written into the page. */
export default function CodeMirrorHost({ left, ...props }: HostProps) {
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
    const before = left.current;
    if (before?.focused) editor.select(before);
    // Somebody who left the plain field writes elsewhere by now.
    if (before ? before.focused : latest.current.autoFocus) editor.focus();
    return () => {
      editor.destroy();
      view.current = undefined;
    };
  }, [left]);
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
