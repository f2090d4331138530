import { act, fireEvent, render, screen } from '@testing-library/react';
import { useLayoutEffect, useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { Left } from './editor/props';

const left: (Left | undefined)[] = [];
let come: () => void;
const coming = new Promise<void>((resolve) => {
  come = resolve;
});

vi.mock('./editor/CodeMirrorHost', async () => {
  await coming;
  return {
    default: (props: { value: string; left: { current: Left | undefined } }) => {
      // As the editor does: once the plain field is gone.
      useLayoutEffect(() => void left.push(props.left.current), [props]);
      return <p data-testid="editor">{props.value}</p>;
    },
  };
});
const { MarkdownEditor } = await import('./MarkdownEditor');

function Form() {
  const [text, setText] = useState('Middle.');
  return <MarkdownEditor label="Text" value={text} onChange={setText} autoFocus />;
}

it('hands the text and the selection of this moment to the editor, and stays while a word is composed', async () => {
  render(<Form />);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox');
  expect([field.selectionStart, field.selectionEnd]).toEqual([7, 7]);
  fireEvent.compositionStart(field);
  fireEvent.change(field, { target: { value: 'に Middle.' } });
  await act(async () => {
    come();
    await vi.dynamicImportSettled();
  });
  expect(screen.queryByTestId('editor')).toBeNull();
  // Moved without an event: browsers tell of it a task later.
  field.setSelectionRange(2, 5, 'backward');
  fireEvent.compositionEnd(field);
  expect(screen.getByTestId('editor').textContent).toBe('に Middle.');
  expect(left.at(-1)).toEqual({ focused: true, anchor: 5, head: 2 });
});
