import { acceptCompletion, completionStatus } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';
import { expect, it, vi } from 'vitest';
import { completion } from './completion';
import type { MarkdownEditorProps, Sign } from './props';

const PAGES = ['Guide', 'Start'];
const suggest = (sign: Sign, query: string) =>
  PAGES.filter((name) => name.toLowerCase().includes(query.toLowerCase())).map((label) => ({
    label,
    apply: `${sign}${label}]]`,
  }));

function type(view: EditorView, text: string): void {
  for (const letter of text) {
    const { head } = view.state.selection.main;
    view.dispatch({
      changes: { from: head, insert: letter },
      selection: { anchor: head + 1 },
      userEvent: 'input.type',
    });
  }
}

it('takes Enter for what the list shows in the very moment in which a letter is typed', async () => {
  const current = { label: 'Text', value: '', onChange: () => {}, suggest } satisfies MarkdownEditorProps;
  const view = new EditorView({ parent: document.body, extensions: completion({ current }) });
  type(view, '[[');
  await vi.waitFor(() => expect(completionStatus(view.state)).toBe('active'), 5_000);
  type(view, 'gui');
  expect(acceptCompletion(view)).toBe(true);
  expect(view.state.doc.toString()).toBe('[[Guide]]');
  view.destroy();
});
